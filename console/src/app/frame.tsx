/** What stays while views change: the navigation, the gate's health, who is looking. */
import { Route, Switch } from "wouter";
import { HeldPlace } from "../inbox/held-answers.tsx";
import { useNotifications } from "../inbox/notify.tsx";
import { Guard } from "../parts/guard.tsx";
import { useGoKeys } from "./go-keys.ts";
import { Navigation } from "./navigation.tsx";
import { useTitle } from "./use-title.ts";
import { views } from "./views.ts";

export function Frame() {
  useGoKeys();
  useTitle();
  useNotifications();
  return (
    <div className="frame">
      <Navigation />
      <HeldPlace>
        <Switch>
          {views.map(({ id, show: Show }) => (
            <Route key={id} path={`/${id}/:selected?`}>
              {({ selected }: { readonly selected?: string }) => (
                <Guard>
                  <Show selected={selected === undefined ? undefined : decoded(selected)} />
                </Guard>
              )}
            </Route>
          ))}
          <Route>{views[0] !== undefined && <First />}</Route>
        </Switch>
      </HeldPlace>
    </div>
  );
}

/** An address that somebody wrote by hand may hold what is no encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function First() {
  const Show = views[0]?.show;
  return Show === undefined ? null : <Show selected={undefined} />;
}
