import assert from 'node:assert/strict';
import { compactTaxId } from '../../api/schema/tax-id.ts';
import type { TaxIdType } from '../../src/domain/party.ts';

/** Numbers that the issuing authorities publish as examples, or those of well-known companies. */
const VALID: [type: TaxIdType, sent: string, stored: string][] = [
  ['eu_vat', 'DE 136.695.976', 'DE136695976'],
  ['eu_vat', 'ATU13585627', 'ATU13585627'],
  ['eu_vat', 'fr40303265045', 'FR40303265045'],
  ['eu_vat', 'EL094259216', 'EL094259216'],
  ['eu_vat', 'NL004495445B01', 'NL004495445B01'],
  ['eu_vat', 'ESB58378431', 'ESB58378431'],
  ['eu_vat', 'XI980780684', 'XI980780684'],
  ['gb_vat', 'GB 980 7806 84', 'GB980780684'],
  ['ch_uid', 'CHE-100.155.212', 'CHE-100155212'],
  ['ch_uid', 'CHE107787577MWST', 'CHE107787577MWST'],
  ['us_ein', '91-1144442', '91-1144442'],
  ['jp_trn', 'T5835678256246', 'T5835678256246'],
  ['in_gst', '27AAPFU0939F1ZV', '27AAPFU0939F1ZV'],
  ['au_abn', '83 914 571 673', '83914571673'],
  ['other', 'nif 12.3-x', 'nif123-x'],
];

const WRONG: [type: TaxIdType, sent: string][] = [
  ['eu_vat', '136695976'],
  ['eu_vat', 'DE136695975'],
  ['eu_vat', 'GR094259216'],
  ['eu_vat', 'GB980780684'],
  ['eu_vat', 'CHE107787577MWST'],
  ['gb_vat', '980780684'],
  ['gb_vat', 'GB980780685'],
  ['ch_uid', 'CHE-100.155.213'],
  ['us_ein', '07-1144442'],
  ['jp_trn', '5835678256246'],
  ['in_gst', '27AAPFU0939F1ZO'],
  ['au_abn', '99999999999'],
  ['other', ' . '],
];

describe('a tax id', () => {
  for (const [type, sent, stored] of VALID)
    it(`${type} ${sent} is stored as ${stored}`, () =>
      assert.deepEqual(compactTaxId(type, sent), { value: stored }));
  for (const [type, sent] of WRONG)
    it(`${type} ${sent} is refused`, () => assert.ok('fault' in compactTaxId(type, sent)));
});
