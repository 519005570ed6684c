/**
 * Every error code that crosses the wire: its HTTP status and the exit code of the command line
 * (1 failed work, 2 usage, 3 not configured, 4 canceled, 5 budget). Codes are never renamed.
 */
export const errorCodes = {
  // requests
  invalid_request: { http: 400, exit: 2 },
  unauthorized: { http: 401, exit: 3 },
  forbidden_origin: { http: 403, exit: 2 },
  not_owner: { http: 403, exit: 2 },
  not_found: { http: 404, exit: 2 },
  method_not_allowed: { http: 405, exit: 2 },
  conflict: { http: 409, exit: 1 },
  idempotency_mismatch: { http: 409, exit: 2 },
  payload_too_large: { http: 413, exit: 2 },
  unsupported_media_type: { http: 415, exit: 2 },
  too_many_requests: { http: 429, exit: 1 },
  upload_limit: { http: 409, exit: 1 },
  internal: { http: 500, exit: 1 },
  // plans
  invalid_plan: { http: 422, exit: 2 },
  needs_clarification: { http: 409, exit: 2 },
  needs_approval: { http: 409, exit: 2 },
  plan_not_runnable: { http: 409, exit: 1 },
  budget_exceeded: { http: 409, exit: 5 },
  canceled: { http: 409, exit: 4 },
  task_timeout: { http: 409, exit: 1 },
  missing_output: { http: 409, exit: 1 },
  undeclared_output: { http: 409, exit: 1 },
  deadlock_or_unsatisfied_dependencies: { http: 409, exit: 1 },
  // data
  dataset_missing: { http: 422, exit: 2 },
  dataset_empty: { http: 422, exit: 2 },
  dataset_no_rows: { http: 422, exit: 2 },
  dataset_format: { http: 422, exit: 2 },
  dataset_encoding: { http: 422, exit: 2 },
  dataset_ragged: { http: 422, exit: 2 },
  dataset_changed: { http: 409, exit: 1 },
  column_missing: { http: 422, exit: 2 },
  target_unsuitable: { http: 422, exit: 2 },
  // repositories and adapters
  repository_missing: { http: 422, exit: 2 },
  repository_no_code: { http: 422, exit: 2 },
  repository_unsupported: { http: 422, exit: 2 },
  repository_unreadable: { http: 422, exit: 2 },
  repository_unreachable: { http: 409, exit: 1 },
  repository_auth: { http: 409, exit: 3 },
  repository_too_large: { http: 422, exit: 2 },
  repository_content_missing: { http: 409, exit: 1 },
  repository_changed: { http: 409, exit: 1 },
  repository_holds_labels: { http: 409, exit: 1 },
  adapter_not_recognised: { http: 409, exit: 1 },
  adapter_refused: { http: 409, exit: 1 },
  adapter_changed: { http: 409, exit: 1 },
  adapter_failed: { http: 409, exit: 1 },
  dependencies_required: { http: 409, exit: 1 },
  // what came out of a run
  output_missing: { http: 409, exit: 1 },
  output_unsafe: { http: 409, exit: 1 },
  output_too_large: { http: 409, exit: 1 },
  output_stale: { http: 409, exit: 1 },
  output_malformed: { http: 409, exit: 1 },
  predictions_incomplete: { http: 409, exit: 1 },
  predictions_duplicated: { http: 409, exit: 1 },
  predictions_out_of_range: { http: 409, exit: 1 },
  predictions_not_finite: { http: 409, exit: 1 },
  predictions_other_dataset: { http: 409, exit: 1 },
  labels_unknown: { http: 409, exit: 1 },
  metrics_forged: { http: 409, exit: 1 },
  metric_undefined: { http: 409, exit: 1 },
  protocol_mismatch: { http: 409, exit: 1 },
  not_comparable: { http: 409, exit: 1 },
  probe_failed: { http: 409, exit: 1 },
  report_invalid: { http: 409, exit: 1 },
  verification_failed: { http: 409, exit: 1 },
  // secrets
  secret_missing: { http: 422, exit: 3 },
  secret_refused: { http: 422, exit: 2 },
  // sandbox and sessions
  sandbox_unavailable: { http: 503, exit: 3 },
  sandbox_setup_failed: { http: 503, exit: 3 },
  sandbox_refused: { http: 422, exit: 2 },
  interpreter_missing: { http: 503, exit: 3 },
  dependency_install_failed: { http: 409, exit: 1 },
  installer_missing: { http: 503, exit: 3 },
  command_failed: { http: 409, exit: 1 },
  out_of_memory: { http: 409, exit: 1 },
  output_limit: { http: 409, exit: 1 },
  session_lost: { http: 409, exit: 1 },
  // the home and the daemon
  home_locked: { http: 409, exit: 3 },
  home_newer: { http: 409, exit: 3 },
  home_read_only: { http: 503, exit: 3 },
  disk_full: { http: 507, exit: 1 },
  journal_damaged: { http: 500, exit: 1 },
  journal_read_only: { http: 503, exit: 1 },
  record_newer: { http: 409, exit: 3 },
  record_invalid: { http: 500, exit: 1 },
  port_in_use: { http: 503, exit: 3 },
  daemon_unreachable: { http: 503, exit: 3 },
  daemon_start_failed: { http: 503, exit: 3 },
  not_configured: { http: 409, exit: 3 },
  config_invalid: { http: 400, exit: 3 },
} as const satisfies Record<string, { readonly http: number; readonly exit: number }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * What a person can do when a failure ended a plan or task and does not say so itself: for faults of ours, which have no
 * advice of their own, and for what a person ended. Undefined for every other code.
 */
export function usualHint(code: 'internal' | 'canceled' | 'budget_exceeded'): string;
export function usualHint(code: string): string | undefined;
export function usualHint(code: string): string | undefined {
  switch (code) {
    case 'internal':
      return 'this is a fault of Assay: retry the task, and if it comes again report it with logs/daemon.jsonl of the home';
    case 'canceled':
      return 'nothing of it is lost: `assay plan retry` and `assay plan start` go on with it';
    case 'budget_exceeded':
      return 'make a plan with a larger budget, or one that needs less, such as fewer rows with --limit';
    default:
      return undefined;
  }
}

/** The HTTP status of a code; unknown codes are faults of ours. */
export function httpStatusOf(code: string): number {
  return code in errorCodes ? errorCodes[code as ErrorCode].http : 500;
}

/** The exit code that the command line gives for an error code. */
export function exitCodeOf(code: string): number {
  return code in errorCodes ? errorCodes[code as ErrorCode].exit : 1;
}
