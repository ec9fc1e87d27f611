import type { AnyForm } from '@portal/screens/useEndpointForm'

/** A form without the sentence of a 409: what it means is shown in the form itself. */
export const withoutConflict = <Form extends AnyForm>(form: Form): Form =>
  form.problem?.status === 409 ? { ...form, failure: null, problem: null } : form
