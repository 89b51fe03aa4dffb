import assert from 'node:assert/strict';
import { oidcSettingsOf } from '../../src/settings/oidc-settings.ts';

const NEEDED = {
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'id',
  OIDC_CLIENT_SECRET: 'secret',
};

describe('the settings of a provider', () => {
  it('are all there or none, and roles go by the four names', () => {
    assert.equal(oidcSettingsOf({}), null);
    const settings = oidcSettingsOf({ ...NEEDED, OIDC_ROLE_CLAIM: 'groups' })!;
    assert.deepEqual([...settings.roles.keys()], ['viewer', 'support', 'finance', 'admin']);
    assert.deepEqual([settings.allowed_domains, settings.trusts_email], [[], false]);
  });

  it('have roles by other names, and domains in any case', () => {
    const { roles, allowed_domains } = oidcSettingsOf({
      ...NEEDED,
      ...{ OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'cn=a=admin, fin=finance' },
      OIDC_ALLOWED_DOMAINS: 'Example.com, example.org',
    })!;
    assert.deepEqual(
      [...roles],
      [
        ['cn=a', 'admin'],
        ['fin', 'finance'],
      ],
    );
    assert.deepEqual(allowed_domains, ['example.com', 'example.org']);
  });

  const { OIDC_CLIENT_SECRET: _, ...without_secret } = NEEDED;
  const WRONG: [settings: Record<string, string>, message: RegExp][] = [
    [without_secret, /^OIDC_ISSUER is set without OIDC_CLIENT_SECRET/],
    [{ OIDC_TRUST_EMAIL: '1' }, /^OIDC_TRUST_EMAIL is set without OIDC_ISSUER/],
    [{ ...NEEDED, OIDC_ISSUER: 'http://login.example.com' }, /^OIDC_ISSUER must be an https address/],
    [{ ...NEEDED, OIDC_ISSUER: 'login' }, /^OIDC_ISSUER must be/],
    [{ ...NEEDED, OIDC_ALLOWED_DOMAINS: 'a@example.com' }, /^OIDC_ALLOWED_DOMAINS must be domains/],
    [{ ...NEEDED, OIDC_ROLES: 'a=admin' }, /^OIDC_ROLES is set without OIDC_ROLE_CLAIM/],
    [
      { ...NEEDED, OIDC_ROLE_CLAIM: 'g', OIDC_ROLES: 'a=owner' },
      /^OIDC_ROLES must be pairs .* not "a=owner"$/,
    ],
    [{ ...NEEDED, OIDC_TRUST_EMAIL: 'yes' }, /^OIDC_TRUST_EMAIL must be 0 or 1, not "yes"$/],
    [{ ...NEEDED, NODE_ENV: 'production' }, /^OIDC_ISSUER needs PUBLIC_URL/],
  ];
  for (const [settings, message] of WRONG)
    it(`are refused: ${message.source}`, () => assert.throws(() => oidcSettingsOf(settings), { message }));
});
