// What attempts used, a `value` each, of those of which it is known. The same SQL for both stores.

export const CPU_OF_ATTEMPTS = `
  SELECT coalesce(cpu_user_ms, 0) + coalesce(cpu_system_ms, 0) AS value FROM attempts
  WHERE cpu_user_ms IS NOT NULL OR cpu_system_ms IS NOT NULL`;

export const MEMORY_OF_ATTEMPTS =
  'SELECT peak_memory_bytes AS value FROM attempts WHERE peak_memory_bytes IS NOT NULL';
