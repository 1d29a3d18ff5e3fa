package dev.mooring.manager.lifecycle;

import static dev.mooring.cluster.RbacRule.Verb.CREATE;
import static dev.mooring.cluster.RbacRule.Verb.GET;
import static dev.mooring.cluster.RbacRule.Verb.LIST;
import static dev.mooring.cluster.RbacRule.Verb.PATCH;
import static dev.mooring.cluster.RbacRule.Verb.WATCH;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRules;
import dev.mooring.kube.LeaderElection;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.explain.ClusterExplainers;
import dev.mooring.manager.peer.KubeControllerManager;
import dev.mooring.model.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** RBAC rights of a manager, as its controllers declare them. */
public final class ManagerRights {
  private static final RbacRules COMMON_RIGHTS =
      RbacRules.forPurpose("all controllers")
          .mayCache(Kind.VOLUME)
          .mayCache(Kind.CLAIM)
          .mayCache(Kind.STORAGE_CLASS);

  private static final RbacRules ENDPOINT_RIGHTS =
      RbacRules.forPurpose("authenticating and authorizing users of metrics")
          .may(SubjectReviews.TOKENS, CREATE)
          .may(SubjectReviews.ACCESS, CREATE);

  private static final RbacRules CONSOLE_RIGHTS =
      RbacRules.forPurpose("authenticating and authorizing users of the console")
          .may(SubjectReviews.TOKENS, CREATE)
          .may(SubjectReviews.ACCESS, CREATE);

  private static final RbacRules OF_KUBERNETES =
      RbacRules.forPurpose("detecting an active kube-controller-manager")
          .inNamespace(KubeControllerManager.LEASE.namespace())
          .mayNamed(Kind.LEASE, KubeControllerManager.LEASE.name(), GET);

  private static final Set<RbacRule.Verb> READ_VERBS = Set.of(GET, LIST, WATCH);

  private static final List<Kind<?>> OBSERVED_KINDS =
      List.of(
          Kind.VOLUME,
          Kind.CLAIM,
          Kind.STORAGE_CLASS,
          Kind.ATTACHMENT,
          Kind.NODE,
          Kind.ATTRIBUTES_CLASS,
          Kind.POD);

  private ManagerRights() {}

  public static List<RbacRule> of(ManagerConfig config) {
    RbacRules rules =
        COMMON_RIGHTS.with(
            config.election().map(ManagerRights::electionRights).orElse(RbacRules.NONE));
    for (String controller : new TreeSet<>(config.controllers())) {
      rules =
          rules.with(
              KnownController.find(controller)
                  .orElseThrow(() ->
                      new IllegalArgumentException(
                          "no rights are declared for controller " + controller))
                  .rights(config));
    }
    if (config.rehearsal().isPositive()) {
      rules = rules.with(rehearsalRights());
    }
    if (!KnownController.sharedWithKubernetes(config).isEmpty()) {
      rules = rules.with(OF_KUBERNETES);
    }
    if (config.endpoints().filter(EndpointConfig::requiresCredentials).isPresent()) {
      rules = rules.with(ENDPOINT_RIGHTS);
    }
    if (config.console().isPresent()) {
      rules = rules.with(consoleRights(config.console().get()));
    }
    return rules.list();
  }

  /** Returns the rights of a process that only observes. All of them are rights to read. */
  public static List<RbacRule> ofObserver(ManagerConfig config) {
    RbacRules rules = RbacRules.forPurpose("comparing decisions");
    for (Kind<?> kind : OBSERVED_KINDS) {
      rules = rules.mayCache(kind).may(kind, GET);
    }
    return Stream.concat(
            rules.list().stream(),
            of(config.observing(Optional.empty(), config.console())).stream())
        .filter(rule -> READ_VERBS.contains(rule.verb()))
        .filter(rule -> rule.target().name().isEmpty())
        .filter(rule -> !rule.target().resource().equals("secrets"))
        .toList();
  }

  public static List<RbacRule> ofPage(EndpointConfig page) {
    return consoleRights(page).list();
  }

  private static RbacRules consoleRights(EndpointConfig page) {
    RbacRules rules = RbacRules.forPurpose("the page").mayListEvents();
    for (Kind<?> kind : Kind.ALL) {
      rules = ClusterExplainers.ALL_READ_KINDS.contains(kind) ? rules.mayCache(kind) : rules;
    }
    for (Kind<?> kind : Kind.SNAPSHOT_KINDS) {
      rules = rules.mayCache(kind);
    }
    // controllers read these live before they decide
    rules =
        rules
            .may(Kind.CLAIM, GET)
            .may(Kind.VOLUME, GET)
            .may(Kind.STORAGE_CLASS, GET)
            .may(Kind.ATTRIBUTES_CLASS, GET, LIST);
    return page.requiresCredentials() ? rules.with(CONSOLE_RIGHTS) : rules;
  }

  private static RbacRules rehearsalRights() {
    return RbacRules.forPurpose("comparing decisions with those of the leader")
        .mayRead(OBSERVED_KINDS);
  }

  private static RbacRules electionRights(LeaderElection.Config election) {
    return RbacRules.forPurpose("leader election")
        .inNamespace(election.lease().namespace())
        .may(Kind.LEASE, CREATE)
        .mayNamed(Kind.LEASE, election.lease().name(), GET, WATCH, PATCH)
        .mayEmitEvents();
  }
}
