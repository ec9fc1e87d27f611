/** At most `perSecond` calls a second for each key, with a burst of as many: a brake, not a rule anything relies on. */
export function callBrake(perSecond: number) {
  const buckets = new Map<number, { tokens: number; at: number }>()
  return (key: number): boolean => {
    const now = performance.now()
    if (buckets.size > 10_000)
      for (const [old, bucket] of buckets) if (now - bucket.at > 2000) buckets.delete(old)
    const bucket = buckets.get(key) ?? { tokens: perSecond, at: now }
    bucket.tokens = Math.min(perSecond, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    buckets.set(key, bucket)
    if (bucket.tokens < 1) return false
    bucket.tokens -= 1
    return true
  }
}
