import * as v from 'valibot'

/** Refuses, at `to`, a last day before the first one. */
export const daysInOrder = <Days extends { from?: string | undefined; to?: string | undefined }>() =>
  v.rawCheck<Days>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { value } = dataset
    if (value.from && value.to && value.to < value.from)
      addIssue({
        message: 'to_before_from',
        path: [{ type: 'object', origin: 'value', input: value, key: 'to', value: value.to }],
      })
  })
