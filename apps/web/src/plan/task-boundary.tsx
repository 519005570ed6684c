import type { SessionInfo } from '@assay/contracts';
import { useTexts } from '../i18n/texts.tsx';
import { bytesText, duration, plain } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

/** The boundary around each command of a task, in words; what the sandbox was told stands below to compare. */
export function TaskBoundary({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const { text } = useTexts();
  if (sessions.length === 0) return <p className="section meta">{text('noCommand')}</p>;
  return (
    <>
      {sessions.toReversed().map((session) => (
        <Boundary key={session.id} session={session} />
      ))}
    </>
  );
}

function Boundary({ session }: { readonly session: SessionInfo }) {
  const { text } = useTexts();
  const { attestation, exit } = session;
  const { network, allowedHosts = [] } = attestation;
  const points: readonly (readonly [IconName, string])[] = [
    ['shield', text('boundaryBackend', { backend: `${attestation.backend} ${attestation.version}` })],
    [
      'noNetwork',
      network === 'allow'
        ? text('boundaryHosts', { hosts: allowedHosts.join(', ') })
        : text(network === 'none' ? 'boundaryNoNetwork' : 'boundaryNetwork', { network }),
    ],
    ['lock', text(attestation.capabilities === 'none' ? 'boundaryNoRights' : 'boundaryRights')],
    ['lock', text(attestation.seccomp ? 'boundarySeccomp' : 'boundaryNoSeccomp')],
    ['machine', text('boundaryLimits', { limits: attestation.limits })],
  ];
  return (
    <div className="section">
      <h3>
        {session.name} <span className="meta">{text('attempt', { attempt: session.attempt })}</span>
      </h3>
      <ul className="boundary-points">
        {points.map(([icon, words]) => (
          <li key={words}>
            <Icon name={icon} small />
            <span>{words}</span>
          </li>
        ))}
      </ul>
      <p className="meta">
        {exit === null
          ? text('commandRuns', { time: duration(session.timeoutSeconds) })
          : text('commandEnded', {
              code: exit.exitCode ?? exit.signal ?? exit.end,
              time: duration(exit.seconds),
              memory: exit.maxRssBytes === undefined ? '–' : bytesText(exit.maxRssBytes),
            })}
      </p>
      <p className="mono command break">{plain(session.argv.join(' '))}</p>
      <details>
        <summary className="meta">{text('boundaryExact', { hash: attestation.boundarySha256.slice(0, 12) })}</summary>
        <p className="mono command break">{plain(session.boundary.join(' '))}</p>
      </details>
    </div>
  );
}
