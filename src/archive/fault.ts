/** The reason why an archive cannot be written or read, in a sentence for the operator. */
export class ArchiveFault extends Error {}
