// What of a job is shown to whom.

import type { Job } from '../job/job.ts';
import { type Json, jobToJson } from '../job/wire.ts';
import type { Principal } from './role.ts';

/** Values of variables may be secrets. */
export const shownTo = ({ role }: Principal): { env: boolean } => ({ env: role === 'admin' });

export const jobFor = (principal: Principal, job: Job): Json => jobToJson(job, shownTo(principal));
