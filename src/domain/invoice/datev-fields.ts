/**
 * Fields of one kind that follow each other: their titles, by `;`. An empty text is a pair of quotes, an empty number
 * nothing.
 */
type Run = readonly [kind: 'text' | 'number', titles: string];

/** Titles of pairs that are counted from 1, as DATEV spells them. */
function pairs(count: number, [first, second]: readonly [string, string]): string {
  return Array.from({ length: count }, (_, place) => `${first} ${place + 1};${second} ${place + 1}`).join(
    ';',
  );
}

/** The fields of a row of the format Buchungsstapel, version 13, in its order, with the titles of DATEV's sample. */
const RUNS: readonly Run[] = [
  ['number', 'Umsatz (ohne Soll/Haben-Kz)'],
  ['text', 'Soll/Haben-Kennzeichen;WKZ Umsatz'],
  ['number', 'Kurs;Basis-Umsatz'],
  ['text', 'WKZ Basis-Umsatz'],
  ['number', 'Konto;Gegenkonto (ohne BU-Schlüssel)'],
  ['text', 'BU-Schlüssel'],
  ['number', 'Belegdatum'],
  ['text', 'Belegfeld 1;Belegfeld 2'],
  ['number', 'Skonto'],
  ['text', 'Buchungstext'],
  ['number', 'Postensperre'],
  ['text', 'Diverse Adressnummer'],
  ['number', 'Geschäftspartnerbank;Sachverhalt;Zinssperre'],
  ['text', 'Beleglink'],
  ['text', pairs(8, ['Beleginfo - Art', 'Beleginfo - Inhalt'])],
  ['text', 'KOST1 - Kostenstelle;KOST2 - Kostenstelle'],
  ['number', 'Kost-Menge'],
  ['text', 'EU-Land u. UStID (Bestimmung)'],
  ['number', 'EU-Steuersatz (Bestimmung)'],
  ['text', 'Abw. Versteuerungsart'],
  ['number', 'Sachverhalt L+L;Funktionsergänzung L+L'],
  ['number', 'BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung'],
  ['text', pairs(20, ['Zusatzinformation - Art', 'Zusatzinformation- Inhalt'])],
  ['number', 'Stück;Gewicht;Zahlweise'],
  ['text', 'Forderungsart'],
  ['number', 'Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp'],
  ['text', 'Auftragsnummer;Buchungstyp'],
  ['number', 'USt-Schlüssel (Anzahlungen)'],
  ['text', 'EU-Land (Anzahlungen)'],
  ['number', 'Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen)'],
  ['text', 'Herkunft-Kz;Buchungs GUID'],
  ['number', 'KOST-Datum'],
  ['text', 'SEPA-Mandatsreferenz'],
  ['number', 'Skontosperre'],
  ['text', 'Gesellschaftername'],
  ['number', 'Beteiligtennummer'],
  ['text', 'Identifikationsnummer;Zeichnernummer'],
  ['number', 'Postensperre bis'],
  ['text', 'Bezeichnung SoBil-Sachverhalt'],
  ['number', 'Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit'],
  ['text', 'Generalumkehr (GU)'],
  ['number', 'Steuersatz'],
  ['text', 'Land;Abrechnungsreferenz'],
  ['number', 'BVV-Position'],
  ['text', 'EU-Land u. UStID (Ursprung)'],
  ['number', 'EU-Steuersatz (Ursprung);Abw. Skontokonto'],
];

/** The titles of the 125 fields. */
export const TITLES: readonly string[] = RUNS.flatMap(([, titles]) => titles.split(';'));

/** A row without values: nothing for a number, a pair of quotes for a text. */
export const EMPTY_ROW: readonly string[] = RUNS.flatMap(([kind, titles]) =>
  titles.split(';').map(() => (kind === 'text' ? '""' : '')),
);
