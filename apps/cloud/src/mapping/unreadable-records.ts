/** The content cannot be read at all; the message is for people. */
export class UnreadableRecords extends Error {}
