import { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import { addArchive } from './archive.ts';
import { addBalance } from './balance.ts';
import { addChanges } from './changes.ts';
import { addCluster } from './cluster.ts';
import { addCollections } from './collections.ts';
import { addCustomers } from './customers.ts';
import { addDiscounts } from './discounts.ts';
import { addDoctor } from './doctor.ts';
import { addEmails } from './emails.ts';
import { addEvents } from './events.ts';
import { withExamples } from './help.ts';
import { addInvoice } from './invoice.ts';
import { addInvoices } from './invoices.ts';
import { addItems } from './items.ts';
import { addKeys } from './keys.ts';
import { addListen } from './listen.ts';
import { addOperations } from './operations.ts';
import { addPayments } from './payments.ts';
import { addPlans } from './plans.ts';
import { addProviders } from './providers.ts';
import { addSignIn } from './sign-in.ts';
import { addSubscriptions } from './subscriptions.ts';
import { addWebhooks } from './webhooks.ts';

/** The groups of commands, in the order of the help. */
const GROUPS = [
  addCustomers,
  addPlans,
  addSubscriptions,
  addEvents,
  addInvoice,
  addInvoices,
  addItems,
  addDiscounts,
  addPayments,
  addCollections,
  addProviders,
  addEmails,
  addBalance,
  addChanges,
  addWebhooks,
  addListen,
  addKeys,
  addSignIn,
  addOperations,
  addArchive,
  addCluster,
  addDoctor,
];

/**
 * The whole command line. For a command line with a mistake, Commander prints the reason to stderr and throws a
 * CommanderError.
 */
export function createProgram(config: Config): Command {
  const program = new Command('tidemark')
    .description('Operate Tidemark from the command line.')
    .exitOverride()
    .showHelpAfterError('(--help has examples)');
  for (const add of GROUPS) add(program, config);
  return withExamples(program, ['doctor', 'help events tail']);
}
