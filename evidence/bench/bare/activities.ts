import { Agent, fetch } from 'undici';

const agent = new Agent({ connections: 64 });

/** One HTTP POST to the stub; each step of R makes one. */
export const bareActivities = (stubUrl: string) => ({
  async post(body: { step: number }): Promise<void> {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, dispatcher: agent };
    const response = await fetch(stubUrl, { ...options, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`the stub answered ${response.status}`);
    await response.json();
  },
});

export type BareActivities = ReturnType<typeof bareActivities>;
