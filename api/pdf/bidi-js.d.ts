/** What we use of bidi-js. Its own types promise a member `default`, which the function that Node imports does not have. */
declare module 'bidi-js' {
  export type Embedding = {
    levels: Uint8Array;
    /** `start` and `end` are inclusive. */
    paragraphs: { start: number; end: number; level: number }[];
  };
  export default function bidiFactory(): {
    getEmbeddingLevels: (text: string) => Embedding;
    /** Ranges to be turned around one after the other; `start` and `end` are inclusive. */
    getReorderSegments: (
      text: string,
      embedding: Embedding,
      start: number,
      end: number,
    ) => [number, number][];
    getMirroredCharacter: (character: string) => string | null;
  };
}
