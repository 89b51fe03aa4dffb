import { Type, type Static } from 'typebox';
import { PAUSE_REASONS } from '../domain/invoice/collection-pause.ts';
import { nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

/** A pause of reminders and charges (contract.md 14). */
const CollectionPause = responseObject('CollectionPause', {
  reason: oneOf(PAUSE_REASONS),
  until: nullable(Type.String({ description: "Its last day, in the customer's time zone; null for none." })),
  note: nullable(Type.String({ description: 'For people of the seller alone: null for the payer.' })),
  created_at: ResponseInstant,
  created_by: nullable(Type.String({ description: 'The key or the person that paused it.' })),
});
export type CollectionPause = Static<typeof CollectionPause>;

/** The member of an invoice and of a customer. */
export const PauseOfCollection = nullable({
  ...CollectionPause,
  description: 'No reminder and no charge goes out by itself until it ends.',
});
