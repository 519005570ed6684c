import { logStreams, type LogStream } from '@assay/contracts';
import { Link } from 'wouter';
import { useTexts } from '../i18n/texts.tsx';
import { NotFound } from '../system/not-found.tsx';
import { SessionLog } from './session-log.tsx';

interface Props {
  readonly quest: string;
  readonly session: string;
  readonly stream: string;
}

/** One log over the whole window. */
export function LogScreen({ quest, session, stream }: Props) {
  const { text } = useTexts();
  const known = logStreams.find((one) => one === stream);
  if (known === undefined) return <NotFound />;
  const words: Readonly<Record<LogStream, string>> = { output: text('streamOutput'), stderr: text('streamErrors') };
  return (
    <div className="log-screen">
      <div className="row log-title">
        <h1>{text('log')}</h1>
        <nav className="row" aria-label={text('logSource')}>
          {logStreams.map((one) => (
            <Link
              key={one}
              className={one === known ? 'button small on' : 'button small'}
              aria-current={one === known ? 'page' : undefined}
              href={`/logs/${quest}/${session}/${one}`}
            >
              {words[one]}
            </Link>
          ))}
        </nav>
      </div>
      <SessionLog key={known} quest={quest} session={session} stream={known} />
    </div>
  );
}
