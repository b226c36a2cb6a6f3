// A job's ID as a link to its screen.

export const jobHref = (id: string): string => `/jobs/${encodeURIComponent(id)}`;

export const JobLink = ({ id }: { id: string }) => (
  <a class="mono link" href={jobHref(id)}>
    {id}
  </a>
);
