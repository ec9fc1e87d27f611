/** What a field of a module's record may hold. */
export const recordTypes = ['text', 'number', 'whole', 'boolean', 'day'] as const
export type RecordType = (typeof recordTypes)[number]
