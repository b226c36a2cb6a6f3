// Types of API responses. Most are derived from the server's schemas; the others list the fields that the page uses.

import type { z } from 'zod';
import type { JobState } from '../../src/job/job.ts';
import type { ParameterType } from '../../src/job/isolation/recipe-parameter.ts';
import type { groupReportSchema, groupSchema } from '../../src/server/schema/group.ts';
import type { attemptSchema, detailsSchema, jobSchema } from '../../src/server/schema/job.ts';
import type { deedSchema, tokenSchema, userSchema } from '../../src/server/schema/account.ts';
import type { rerunSchema, rerunWish } from '../../src/server/schema/rerun.ts';
import type { queueSchema } from '../../src/server/schema/queue.ts';
import type { scheduleSchema, tickSchema } from '../../src/server/schema/schedule.ts';
import type { workerSchema } from '../../src/server/schema/worker.ts';

export type { JobState };
export type Job = z.output<typeof jobSchema>;
export type Attempt = z.output<typeof attemptSchema>;
export type Worker = z.output<typeof workerSchema>;
export type NamedQueue = z.output<typeof queueSchema>;
export type Schedule = z.output<typeof scheduleSchema>;
export type Tick = z.output<typeof tickSchema>;
export type Rerun = z.output<typeof rerunSchema>;
export type RerunMode = z.output<typeof rerunWish>['mode'];
export type User = z.output<typeof userSchema>;
export type Token = z.output<typeof tokenSchema>;
export type Deed = z.output<typeof deedSchema>;

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly bounds: string | null;
  /** null if the parameter is required. */
  readonly default: string | null;
}

export interface Recipe {
  readonly name: string;
  readonly command: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly created_at: string;
  readonly created_by: string;
}

export interface Secret {
  readonly name: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly is_readable: boolean;
}

export interface Sandbox {
  readonly name: string;
}

/** In the order in which the page shows them. */
export const STATES = [
  'pending',
  'blocked',
  'processing',
  'failed',
  'dead',
  'completed',
  'cancelled',
] as const satisfies readonly JobState[];
export type StateCounts = Readonly<Record<JobState, number>>;

export interface QueueStats extends StateCounts {
  readonly queue: string;
  readonly oldest_pending_seconds: number | null;
}

export interface Stats extends StateCounts {
  readonly held: number;
  readonly limited: number;
  readonly active_workers: number;
  readonly oldest_pending_seconds: number | null;
  readonly next_retry_at: string | null;
  readonly next_run_at: string | null;
  readonly queues: readonly QueueStats[];
  readonly workers: { readonly active: number; readonly busy: number; readonly lost: number };
  readonly hosts: readonly {
    readonly host: string;
    readonly active: number;
    readonly busy: number;
    readonly lost: number;
  }[];
  readonly unserved_queues: readonly string[];
  readonly paused_queues: readonly string[];
  readonly all_paused: boolean;
  readonly groups: number;
  readonly schedules: number;
  readonly next_schedule_at: string | null;
  readonly degraded: readonly string[];
  readonly db: string;
}

export type Group = z.output<typeof groupSchema>;
export type GroupDetails = z.output<typeof groupReportSchema>;
export type JobDetails = z.output<typeof detailsSchema>;
/** A job that is cloned. */
export type Original = Job & Partial<Pick<JobDetails, 'environment'>>;

export interface GraphNode {
  /** The job's ID, or 'group:NAME'. */
  readonly id: string;
  readonly name: string | null;
  /** null for a group. */
  readonly state: JobState | null;
  readonly command: string | readonly string[] | null;
  readonly counts: Partial<StateCounts> | null;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly parent: string; readonly child: string; readonly rule: string }[];
  readonly left_out: number;
}

export interface AttentionItem {
  readonly severity: string;
  readonly title: string;
  readonly what_to_do: string | null;
  readonly command: string | null;
  readonly link: string | null;
}
