type Bounded = { type?: string | undefined; min?: number | undefined; max?: number | undefined }

/** Whether the bounds of a declared field are those that its type can have. */
export const boundsFit = ({ type, min, max }: Bounded): boolean =>
  type === 'number' || type === 'whole'
    ? (min === undefined) === (max === undefined) && (min ?? 0) <= (max ?? 0)
    : min === undefined && (max === undefined || type === 'text')

/** The sentence about bounds that do not fit. */
export const boundsRule = (what: 'field' | 'setting'): string =>
  `A ${what} of type number or whole has both min and max, or neither; one of type text may have max.`
