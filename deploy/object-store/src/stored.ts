/** A stored object, with the headers that come back with it. */
export type Stored = { content: Buffer; etag: string; meta: Record<string, string>; at: Date }
