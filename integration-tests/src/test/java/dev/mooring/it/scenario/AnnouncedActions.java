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
 * Actions that explanations announced before the controllers started. {@link #verify} checks that
 * the controllers did these actions and no others.
 */
final class AnnouncedActions {
  private static final String CONTROLLER = "mooring-test";
  private static final Set<String> READ_VERBS = Set.of("get", "list", "watch");

  private final List<Explanation> explanations;
  private final boolean provisioningEnabled;
  private final String moment;
  private final ClusterState initialState;
  private final int earlierRequests;
  private final Path auditLog;

  private AnnouncedActions(
      List<Explanation> explanations,
      boolean provisioningEnabled,
      String moment,
      ClusterState initialState,
      Path auditLog)
      throws Exception {
    this.explanations = explanations;
    this.provisioningEnabled = provisioningEnabled;
    this.moment = moment;
    this.initialState = initialState;
    this.auditLog = auditLog;
    this.earlierRequests = AuditEvent.read(auditLog).size();
  }

  /**
   * @param provisioningEnabled whether the controllers' flags enable provisioning
   */
  static AnnouncedActions of(
      List<Explanation> explanations,
      boolean provisioningEnabled,
      String moment,
      RestApi api,
      Path auditLog)
      throws Exception {
    return new AnnouncedActions(
        explanations, provisioningEnabled, moment, ClusterState.of(api), auditLog);
  }

  /** Returns whether a controller started with these flags acts immediately. */
  private boolean isDue(Explanation explanation) {
    return explanation.nextStep().actor() == StepActor.CONTROLLER
        && switch (explanation.nextStep().timing()) {
          case AT_ONCE, AGAIN -> true;
          case UNLESS_OFF -> provisioningEnabled;
          case LATER, OPEN -> false;
        };
  }

  /** Returns whether an idle controller may leave the action open. */
  static boolean canStayOpen(Explanation explanation, boolean provisioningEnabled) {
    return explanation.nextStep().actor() != StepActor.CONTROLLER
        || switch (explanation.nextStep().timing()) {
          case AT_ONCE -> false;
          case UNLESS_OFF -> !provisioningEnabled;
          case AGAIN, LATER, OPEN -> true;
        };
  }

  /**
   * Checks all announced actions after the controllers are idle. Returns the number of checked
   * actions.
   */
  int verify(RestApi api) throws Exception {
    ObservedActions observedActions =
        new ObservedActions(
            ClusterState.of(api),
            initialState,
            findTouchedObjects(false),
            findTouchedObjects(true));
    int comparedActions = 0;
    for (Explanation explanation : explanations) {
      if (isDue(explanation) && !isContested(explanation)) {
        comparedActions++;
        assertThat(observedActions.isPerformed(explanation))
            .as("%s: %s %s", moment, explanation.subject(), explanation.nextStep())
            .isTrue();
      } else if (explanation.nextStep().timing() == StepTiming.UNLESS_OFF && !provisioningEnabled) {
        comparedActions++;
        assertThat(observedActions.isPerformed(explanation))
            .as("%s: %s %s", moment, explanation.subject(), explanation.nextStep())
            .isFalse();
      }
    }
    assertThat(observedActions.findUnannouncedChanges(explanations))
        .as("%s: actions that no explanation announced", moment)
        .isEmpty();
    return comparedActions;
  }

  /** Returns whether two claims should bind to one volume, so that only one of them is bound. */
  private boolean isContested(Explanation explanation) {
    return explanation.nextStep().action() == ExpectedAction.BIND
        && explanations.stream()
                .filter(candidate ->
                    candidate.subject().kind().equals(explanation.subject().kind())
                        && candidate.nextStep().action() == ExpectedAction.BIND
                        && candidate.nextStep().target().equals(explanation.nextStep().target()))
                .count()
            > 1;
  }

  /**
   * Returns the objects of the controllers' reads or of their attempted writes, as {@code
   * plural/name}; only the plural if names are random.
   */
  private Set<String> findTouchedObjects(boolean isRead) throws Exception {
    Set<String> touchedObjects = new HashSet<>();
    List<AuditEvent> auditEvents = AuditEvent.read(auditLog);
    for (AuditEvent event : auditEvents.subList(earlierRequests, auditEvents.size())) {
      if (event.userAgent().startsWith(CONTROLLER) && READ_VERBS.contains(event.verb()) == isRead) {
        List<String> path = List.of(event.path().split("/"));
        for (Kind<?> kind : List.of(Kind.ATTACHMENT, Kind.NODE, Kind.POD)) {
          if (path.contains(kind.plural())) {
            touchedObjects.add(kind.plural());
          }
        }
        for (String plural : List.of(Kind.CLAIM.plural(), Kind.VOLUME.plural())) {
          int pluralIndex = path.indexOf(plural);
          if (pluralIndex >= 0 && pluralIndex + 1 < path.size()) {
            touchedObjects.add(plural + "/" + path.get(pluralIndex + 1));
          }
        }
      }
    }
    return new TreeSet<>(touchedObjects);
  }
}
