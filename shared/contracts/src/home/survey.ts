import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

/** Metabase's static embedding, signed by the server (Messages 5.1); the token is good for 600 seconds. */
export const survey = {
  embed: endpoint({
    method: 'GET',
    path: '/home/survey/embed',
    access: 'survey.view',
    /**
     * `url` is null where no analytics host is set, or it cannot be signed. How long it is good for is `expires_at` less
     * `issued_at`: both are the server's, so the browser's clock need not be right.
     */
    answer: v.object({
      url: v.nullable(v.string()),
      issued_at: v.nullable(v.string()),
      expires_at: v.nullable(v.string()),
    }),
  }),
}
