// Limits what a client sees of a job.

import type { Job } from '../job/job.ts';
import { type Json, jobToJson } from '../job/wire.ts';
import type { Principal } from './role.ts';

/** Only admins see environment variables, which may contain secrets. */
export const shownTo = ({ role }: Principal): { env: boolean } => ({ env: role === 'admin' });

export const jobFor = (principal: Principal, job: Job): Json => jobToJson(job, shownTo(principal));
