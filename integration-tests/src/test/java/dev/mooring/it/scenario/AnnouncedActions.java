package dev.mooring.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.RestApi;
import dev.mooring.model.Kind;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Actions that explanations announced before the controllers started. {@link #verify} checks, by
 * the controllers' writes and their results, that these were done and nothing else.
 */
final class AnnouncedActions {
  private static final String CONTROLLER = "mooring-test";
  private static final Set<String> READS = Set.of("get", "list", "watch");

  private final List<Explanation> explanations;
  private final boolean provisions;
  private final String when;
  private final ClusterState before;
  private final int requests;
  private final Path log;

  private AnnouncedActions(
      List<Explanation> explanations,
      boolean provisions,
      String when,
      ClusterState before,
      Path log)
      throws Exception {
    this.explanations = explanations;
    this.provisions = provisions;
    this.when = when;
    this.before = before;
    this.log = log;
    this.requests = AuditEvent.read(log).size();
  }

  /**
   * @param provisions whether the controllers' flags leave provisioning on
   */
  static AnnouncedActions of(
      List<Explanation> explanations, boolean provisions, String when, RestApi api, Path log)
      throws Exception {
    return new AnnouncedActions(explanations, provisions, when, ClusterState.of(api), log);
  }

  /** Returns whether a controller started with these flags acts immediately. */
  private boolean isDue(Explanation one) {
    return one.nextStep().actor() == StepActor.CONTROLLER
        && switch (one.nextStep().timing()) {
          case AT_ONCE, AGAIN -> true;
          case UNLESS_OFF -> provisions;
          case LATER, OPEN -> false;
        };
  }

  /** Returns whether the action may be left open by an idle controller. */
  static boolean mayRest(Explanation one, boolean provisions) {
    return one.nextStep().actor() != StepActor.CONTROLLER
        || switch (one.nextStep().timing()) {
          case AT_ONCE -> false;
          case UNLESS_OFF -> !provisions;
          case AGAIN, LATER, OPEN -> true;
        };
  }

  /**
   * Checks all announced actions, after the controllers had time for them; returns their number.
   */
  int verify(RestApi api) throws Exception {
    ObservedActions now =
        new ObservedActions(ClusterState.of(api), before, requests(false), requests(true));
    int compared = 0;
    for (Explanation one : explanations) {
      if (isDue(one) && !isContested(one)) {
        compared++;
        assertThat(now.isDone(one)).as("%s: %s %s", when, one.subject(), one.nextStep()).isTrue();
      } else if (one.nextStep().timing() == StepTiming.UNLESS_OFF && !provisions) {
        compared++;
        assertThat(now.isDone(one)).as("%s: %s %s", when, one.subject(), one.nextStep()).isFalse();
      }
    }
    assertThat(now.unannounced(explanations))
        .as("%s: actions that no explanation announced", when)
        .isEmpty();
    return compared;
  }

  /** Returns whether two claims were promised one volume: only one of them wins. */
  private boolean isContested(Explanation one) {
    return one.nextStep().action() == ExpectedAction.BIND
        && explanations.stream()
                .filter(other ->
                    other.subject().kind().equals(one.subject().kind())
                        && other.nextStep().action() == ExpectedAction.BIND
                        && other.nextStep().target().equals(one.nextStep().target()))
                .count()
            > 1;
  }

  /**
   * Returns the objects that the controllers wrote or tried to write, or read, as {@code
   * plural/name}; just the plural if the name cannot be predicted.
   */
  private Set<String> requests(boolean reads) throws Exception {
    Set<String> written = new HashSet<>();
    List<AuditEvent> all = AuditEvent.read(log);
    for (AuditEvent event : all.subList(requests, all.size())) {
      if (event.userAgent().startsWith(CONTROLLER) && READS.contains(event.verb()) == reads) {
        List<String> path = List.of(event.path().split("/"));
        for (Kind<?> kind : List.of(Kind.ATTACHMENT, Kind.NODE, Kind.POD)) {
          if (path.contains(kind.plural())) {
            written.add(kind.plural());
          }
        }
        for (String plural : List.of(Kind.CLAIM.plural(), Kind.VOLUME.plural())) {
          int at = path.indexOf(plural);
          if (at >= 0 && at + 1 < path.size()) {
            written.add(plural + "/" + path.get(at + 1));
          }
        }
      }
    }
    return new TreeSet<>(written);
  }
}
