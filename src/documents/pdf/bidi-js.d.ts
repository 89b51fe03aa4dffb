/**
 * The part of bidi-js that we use. Its own types declare a member `default` that the imported function does not have in
 * Node.
 */
declare module 'bidi-js' {
  export type Embedding = {
    levels: Uint8Array;
    /** `start` and `end` are inclusive. */
    paragraphs: { start: number; end: number; level: number }[];
  };
  export default function bidiFactory(): {
    getEmbeddingLevels: (text: string) => Embedding;
    /** Ranges to reverse one after the other; `start` and `end` are inclusive. */
    getReorderSegments: (
      text: string,
      embedding: Embedding,
      start: number,
      end: number,
    ) => [number, number][];
    getMirroredCharacter: (character: string) => string | null;
  };
}
