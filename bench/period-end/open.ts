import { Client, Connection } from '@temporalio/client';
import { startApi, startWorker, type Api } from '../programs.ts';
import { NAMESPACE, type Place } from '../servers.ts';
import { openBillingRun } from './billing-run.ts';
import type { Side } from './side.ts';

/** Common setup of the period-end figures: Temporal, a worker, an API, and subscriptions whose periods end at a given instant. */
export type PeriodEnd = { address: string; client: Client; api: Api; billing: Side };

/** Starts Temporal, an API and a worker; the place stops them. */
export async function openPeriodEnd(place: Place): Promise<PeriodEnd> {
  const address = await place.temporal();
  const client = await connect(place, address);
  // The API first: it creates the account that a worker needs.
  const api = await startApi(place, { temporal_address: address });
  await startWorker(place, address);
  const billing = await openBillingRun(place, { api, client });
  const { serverVersion } = await client.workflowService.getSystemInfo({});
  place.say(`  Temporal ${serverVersion}; ${place.subscriptions} subscriptions`);
  return { address, client, api, billing };
}

async function connect({ stops }: Place, address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  stops.add(() => connection.close());
  return new Client({ connection, namespace: NAMESPACE });
}
