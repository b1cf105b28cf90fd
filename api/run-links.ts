/** Where people look at runs in the Web UI. @returns a function that gives null where no Web UI is known */
export function runsAt({
  TEMPORAL_UI_URL: ui,
  TEMPORAL_NAMESPACE: namespace,
}: {
  TEMPORAL_UI_URL?: string | undefined;
  TEMPORAL_NAMESPACE: string;
}): (workflowId: string | null) => string | null {
  return (workflowId) =>
    ui === undefined || workflowId === null
      ? null
      : `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
