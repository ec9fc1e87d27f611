/** A manifest that tests add to: it has what each one needs, and nothing else. */
export const good = {
  name: 'mfe-partners',
  title: { en: 'Partners', fr: 'Partenaires' },
  owner: { name: 'A team', contact: 'team@portal.example' },
  contract: '^1.0.0',
  routes: ['/admin/partners'],
  nav: [],
}
