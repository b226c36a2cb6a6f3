// One stream with all changes that a page of the dashboard shows.

import { z } from 'zod';
import { EVENT_STREAM, STREAM_HEADERS } from '../live/sse.ts';
import { MOST_TOPICS, parseTopics } from '../live/topics.ts';
import { streamAccount } from '../live/stream-account.ts';
import { route } from '../route.ts';
import { shownTo } from '../shown.ts';

const followEvents = route({
  id: 'followEvents',
  summary: 'Stream changes as server-sent events; see docs/reference/http-api.md',
  role: 'viewer',
  query: z.object({
    topics: z
      .string()
      .default('')
      .describe(
        `Comma-separated topics: stats, jobs, job:ID, output:ID or output:ID@BYTE, bulk:ID; at most ${MOST_TOPICS}`,
      ),
  }),
  answers: {
    200: { help: 'Events until the client disconnects', contentType: EVENT_STREAM, schema: z.string() },
  },
  handle: async ({ live, query, principal, request, server, isStillAllowed, hangUp }) => {
    const body = live.page(
      {
        topics: parseTopics(query.topics),
        show: shownTo(principal),
        lastEventId: request.headers.get('last-event-id'),
      },
      { account: streamAccount(principal, server.peer), isStillAllowed, hangUp },
    );
    return new Response(body, { headers: STREAM_HEADERS });
  },
});

export const eventRoutes = [followEvents];
