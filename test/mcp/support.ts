// An agent: the protocol's own client, and a queuectl mcp that it has started.

import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { QUEUECTL, type TestQueue } from '../cli/support.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test looks at is what it is about
type Answer = any;

export interface Agent extends AsyncDisposable {
  readonly client: Client;
  /** What it wrote to stderr. */
  readonly said: () => string;
  readonly names: () => Promise<string[]>;
  /** The answer of a call that must succeed. */
  readonly call: (tool: string, args?: Record<string, unknown>, meta?: Record<string, unknown>) => Promise<Answer>;
  /** The code, the sentence and the hint of a call that must not. */
  readonly rejected: (tool: string, args?: Record<string, unknown>) => Promise<Answer>;
}

/** To be used with `await using`: it has gone before the queue is looked at. */
export async function newAgent(queue: TestQueue, ...args: string[]): Promise<Agent> {
  const { PATH = '', HOME = '' } = process.env;
  const transport = new StdioClientTransport({
    command: QUEUECTL,
    args: ['mcp', ...args],
    env: { PATH, HOME, ...(queue.place as Record<string, string>) },
    cwd: queue.folder,
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const ask = async (
    name: string,
    given: Record<string, unknown> = {},
    meta?: Record<string, unknown>,
  ): Promise<{ isError: boolean; json: Answer }> => {
    const result = await client.callTool({ name, arguments: given, ...(meta && { _meta: meta }) });
    const [content] = result.content;
    assert.ok(content?.type === 'text' && result.content.length === 1);
    assert.deepEqual(JSON.parse(content.text), result.structuredContent, 'both say the same');
    return { isError: result.isError === true, json: result.structuredContent };
  };
  return {
    [Symbol.asyncDispose]: () => client.close(),
    client,
    said: () => said,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (tool, given, meta) => {
      const { isError, json } = await ask(tool, given, meta);
      assert.equal(isError, false, `${tool}: ${JSON.stringify(json)}`);
      return json;
    },
    rejected: async (tool, given) => {
      const { isError, json } = await ask(tool, given);
      assert.equal(isError, true, `${tool} was not rejected`);
      assert.deepEqual(Object.keys(json), ['code', 'message', 'hint']);
      return json;
    },
  };
}
