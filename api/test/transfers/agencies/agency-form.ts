let names = 0

/** The form of a new agency, filled in; `fields` replaces values. */
export const agencyForm = (endpoint: string, fields: object = {}) => ({
  name: `Agency ${++names}`,
  description: 'Mobile money',
  type: 'mobile_money',
  country: 'ml',
  fees: 1.5,
  endpoint,
  details: '{"protocol": "sandbox"}',
  ...fields,
})
