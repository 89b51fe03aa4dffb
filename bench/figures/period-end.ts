import { Client, Connection } from '@temporalio/client';
import type { Figure } from '../figure.ts';
import { openBareLoop } from '../period-end/bare-loop.ts';
import { openBillingRun } from '../period-end/billing-run.ts';
import { rateOf } from '../period-end/side.ts';
import { startApi, startWorker } from '../programs.ts';
import { NAMESPACE, type Place } from '../servers.ts';

/** Measured first on both sides and discarded. */
const WARM_UP_WORKFLOWS = 50;

export const periodEnd: Figure = {
  kind: 'ratio',
  name: 'T13',
  title:
    'invoices when all subscriptions end at once / a bare loop of workflows with as many empty activities',
  unit: 'a second',
  floor: 0.5,
  goal: 0.9,
  rounds: 2,
  async open(place) {
    const { subscriptions, say } = place;
    const address = await place.temporal();
    const client = await connect(place, address);
    await startWorker(place, address);
    const api = await startApi(place, { temporal_address: address });
    const billing = await openBillingRun(place, { api, client });
    const ours = rateOf(billing);
    await ours(WARM_UP_WORKFLOWS);
    const steps = await billing.steps();
    const theirs = rateOf(await openBareLoop(place, { address, client, steps }));
    await theirs(WARM_UP_WORKFLOWS);
    const { serverVersion } = await client.workflowService.getSystemInfo({});
    say(
      `  Temporal ${serverVersion}; ${subscriptions} subscriptions, ${steps} activities in the run that closes a period`,
    );
    return { ours: () => ours(subscriptions), theirs: () => theirs(subscriptions) };
  },
};

async function connect({ stops }: Place, address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  stops.add(() => connection.close());
  return new Client({ connection, namespace: NAMESPACE });
}
