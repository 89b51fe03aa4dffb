import { Type, type Static } from 'typebox';
import { identity, nullable, ResponseInstant, responseObject } from './parts.ts';

const PORTAL_SESSION = {
  ...identity('portal_session'),
  customer_id: Type.String(),
  expires_at: ResponseInstant,
  revoked_at: nullable(ResponseInstant),
  created_by: nullable(
    Type.String({ description: 'The key or the person that made the link; null for the payer.' }),
  ),
  saves_payment_methods: Type.Boolean({
    description: 'Whether its customer can save a payment method: a payment provider is connected.',
  }),
  logo_sha256: nullable(
    Type.String({
      description: "Names the file of the seller's logo, which the page of the link shows; null without one.",
    }),
  ),
};

/** A portal link (contract.md 9): never its token. */
export const PortalSessionObject = responseObject('PortalSession', PORTAL_SESSION);
export type PortalSession = Static<typeof PortalSessionObject>;

export const NewPortalSession = responseObject('NewPortalSession', {
  ...PORTAL_SESSION,
  url: Type.String({ description: 'The link; it is returned only here.' }),
});
