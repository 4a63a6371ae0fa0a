/** What stays while views change: the navigation, the gate's health, who is looking. */
import { Route, Switch } from "wouter";
import { HeldPlace } from "../inbox/held-answers.tsx";
import { useNotifications } from "../inbox/notify.tsx";
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
                <Show selected={selected === undefined ? undefined : decodeURIComponent(selected)} />
              )}
            </Route>
          ))}
          <Route>{views[0] !== undefined && <First />}</Route>
        </Switch>
      </HeldPlace>
    </div>
  );
}

function First() {
  const Show = views[0]?.show;
  return Show === undefined ? null : <Show selected={undefined} />;
}
