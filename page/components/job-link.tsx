// A job's ID as a link to its screen.

import { itemHref } from '../core/router.ts';

export const JobLink = ({ id }: { id: string }) => (
  <a class="mono link" href={itemHref('jobs', id)}>
    {id}
  </a>
);

export const JobLinks = ({ ids }: { ids: readonly string[] }) => ids.map((id) => <JobLink key={id} id={id} />);
