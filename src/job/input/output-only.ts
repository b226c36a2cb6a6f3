// Fields of a job's JSON that no user can set. All others can be given again for a job like it.

/** Fields a job has, but nobody can set. */
export const OUTPUT_ONLY = new Set([
  'interruptions', 'created_at', 'updated_at', 'started_at', 'finished_at', 'duration_ms', 'exit_code',
  'signal', 'last_error', 'locked_by', 'locked_at', 'log_path', 'history', 'environment', 'held_reason', 'fingerprint',
  'schedule', 'scheduled_at', 'hook_of', 'snoozes', 'progress', 'progress_note', 'result', 'stdin_bytes',
  'peak_memory_bytes', 'cpu_user_ms', 'cpu_system_ms',
]); // biome-ignore format: a list of words
