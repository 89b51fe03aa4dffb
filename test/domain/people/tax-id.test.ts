import assert from 'node:assert/strict';
import { compactTaxId, writtenTaxId } from '../../../src/domain/people/tax-id.ts';
import type { TaxIdType } from '../../../src/domain/people/party.ts';

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
  ['eu_vat', 'PL 526-025-02-74', 'PL5260250274'],
  ['eu_vat', 'FI 2077474-0', 'FI20774740'],
  ['eu_vat', 'DE 136/695 976', 'DE136695976'],
  ['eu_vat', 'el 094 259 216', 'EL094259216'],
  ['eu_vat', 'xi 980 7806 84', 'XI980780684'],
  ['eu_vat', 'CZ25123891', 'CZ25123891'],
  ['eu_vat', 'CZ640903926', 'CZ640903926'],
  ['eu_vat', 'cz 640 903 926', 'CZ640903926'],
  ['gb_vat', 'gb-980-7806-84', 'GB980780684'],
  ['ch_uid', 'CHE-100.155.212', 'CHE100155212'],
  ['ch_uid', 'CHE107787577MWST', 'CHE107787577MWST'],
  ['ch_uid', 'CHE-107.787.577 IVA', 'CHE107787577IVA'],
  ['us_ein', '91-1144442', '911144442'],
  ['us_ein', '91\u20111144442', '911144442'],
  ['jp_trn', 't 5835-6782-56246', 'T5835678256246'],
  ['in_gst', '27 aapfu0939f-1zv', '27AAPFU0939F1ZV'],
  ['jp_trn', 'T5835678256246', 'T5835678256246'],
  ['in_gst', '27AAPFU0939F1ZV', '27AAPFU0939F1ZV'],
  ['au_abn', '83 914 571 673', '83914571673'],
  ['other', 'nif 12.3-x', 'nif123-x'],
];

const WRONG: [type: TaxIdType, sent: string][] = [
  ['eu_vat', '136695976'],
  ['eu_vat', 'DE136695975'],
  ['eu_vat', 'DEDE136695976'],
  ['eu_vat', 'CZ640903925'],
  ['eu_vat', 'CZ640903920'],
  ['eu_vat', '- . -'],
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

/** How paper has it. */
const WRITTEN: [type: TaxIdType, value: string, written: string][] = [
  ['ch_uid', 'CHE100155212', 'CHE-100.155.212'],
  ['ch_uid', 'CHE107787577IVA', 'CHE-107.787.577 IVA'],
  ['ch_uid', 'CHE-107787577MWST', 'CHE-107.787.577 MWST'],
  ['us_ein', '911144442', '91-1144442'],
  ['us_ein', 'not one', 'not one'],
  ['eu_vat', 'PL5260250274', 'PL5260250274'],
  ['other', 'nif123-x', 'nif123-x'],
];

describe('a tax id', () => {
  for (const [type, value, written] of WRITTEN)
    it(`${type} ${value} is written ${written}`, () => assert.equal(writtenTaxId({ type, value }), written));
  it('is stored as it is, sent as it is stored', () => {
    for (const [type, , value] of VALID) assert.deepEqual(compactTaxId(type, value), { value });
  });
  it('of a Czech person has a check digit, one of ten', () => {
    const digits = Array.from({ length: 10 }, (_, digit) => `CZ64090392${digit}`);
    const valid = digits.filter((sent) => 'value' in compactTaxId('eu_vat', sent));
    assert.deepEqual(valid, ['CZ640903926']);
  });
  for (const [type, sent, stored] of VALID)
    it(`${type} ${sent} is stored as ${stored}`, () =>
      assert.deepEqual(compactTaxId(type, sent), { value: stored }));
  for (const [type, sent] of WRONG)
    it(`${type} ${sent} is refused`, () => assert.ok('fault' in compactTaxId(type, sent)));
});
