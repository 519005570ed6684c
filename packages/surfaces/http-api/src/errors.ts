import { httpStatusOf } from '@assay/contracts';
import { AssayError, newId, systemFailure, type Logger } from '@assay/foundation';
import type * as z from 'zod';

export interface ErrorAnswer {
  readonly status: number;
  readonly body: { readonly error: Record<string, unknown> };
}

/**
 * The answer for anything thrown. An AssayError crosses the wire; everything else is a fault of ours: it is logged with
 * an incident id and answered without a word of its text.
 */
export function errorAnswer(error: unknown, logger: Logger): ErrorAnswer {
  const known = error instanceof AssayError ? error : (systemFailure(error) ?? internal(error, logger));
  const { code, message, why, hint, details } = known;
  return {
    status: httpStatusOf(code),
    body: {
      error: { code, message, ...(why === undefined ? {} : { why }), ...(hint === undefined ? {} : { hint }), details },
    },
  };
}

function internal(error: unknown, logger: Logger): AssayError {
  const incident = newId('trace');
  logger.log('error', 'request failed', {
    incident,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new AssayError('internal', 'something went wrong inside Assay', {
    hint: 'the log of the daemon has the details under this incident',
    details: { incident },
  });
}

const MAX_ISSUES = 20;

/** `invalid_request` that names each field that does not fit. */
export function invalid(part: 'body' | 'query', error: z.ZodError): AssayError {
  const issues = error.issues
    .slice(0, MAX_ISSUES)
    .flatMap(fields)
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.map(String).join('.').slice(0, 200), message: message.slice(0, 500) }));
  const first = issues[0];
  return new AssayError('invalid_request', `the ${part} of this request is not valid`, {
    why: first === undefined ? 'it does not fit' : `${first.path === '' ? part : first.path}: ${first.message}`,
    hint: 'GET /api/openapi.json describes every request',
    details: { issues },
  });
}

interface Field {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The fields that an issue speaks of: every unknown member is one of its own. */
function fields(issue: z.ZodError['issues'][number]): Field[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'this member is not known here' }));
}
