package dev.mooring.manager.lifecycle;

import static dev.mooring.cluster.Right.Verb.CREATE;
import static dev.mooring.cluster.Right.Verb.GET;
import static dev.mooring.cluster.Right.Verb.LIST;
import static dev.mooring.cluster.Right.Verb.PATCH;

import dev.mooring.cluster.Right;
import dev.mooring.cluster.Rights;
import dev.mooring.kube.LeaderElection;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.manager.endpoint.EndpointConfig;
import dev.mooring.manager.explain.Explainers;
import dev.mooring.model.Kind;
import java.util.List;
import java.util.TreeSet;

/** RBAC rights of a manager, as its controllers declare them. */
public final class ManagerRights {
  private static final Rights ALWAYS =
      Rights.to("all controllers")
          .mayCache(Kind.VOLUME)
          .mayCache(Kind.CLAIM)
          .mayCache(Kind.STORAGE_CLASS);

  private static final Rights OF_ENDPOINTS =
      Rights.to("authenticating and authorizing users of metrics")
          .may(SubjectReviews.TOKENS, CREATE)
          .may(SubjectReviews.ACCESS, CREATE);

  private static final Rights OF_CONSOLE =
      Rights.to("authenticating and authorizing users of the console")
          .may(SubjectReviews.TOKENS, CREATE)
          .may(SubjectReviews.ACCESS, CREATE);

  private ManagerRights() {}

  public static List<Right> of(ManagerConfig config) {
    Rights all = ALWAYS.with(config.election().map(ManagerRights::ofElection).orElse(Rights.NONE));
    for (String controller : new TreeSet<>(config.controllers())) {
      all =
          all.with(
              KnownController.called(controller)
                  .orElseThrow(() ->
                      new IllegalArgumentException(
                          "no rights are declared for controller " + controller))
                  .rights(config));
    }
    if (config.endpoints().filter(EndpointConfig::asksForCredentials).isPresent()) {
      all = all.with(OF_ENDPOINTS);
    }
    if (config.console().isPresent()) {
      all = all.with(ofConsole(config.console().get()));
    }
    return all.list();
  }

  public static List<Right> ofPage(EndpointConfig page) {
    return ofConsole(page).list();
  }

  private static Rights ofConsole(EndpointConfig page) {
    Rights all = Rights.to("the page").mayListEvents();
    for (Kind<?> kind : Kind.ALL) {
      all = Explainers.READ.contains(kind) ? all.mayCache(kind) : all;
    }
    // controllers read these live before they decide
    all =
        all.may(Kind.CLAIM, GET)
            .may(Kind.VOLUME, GET)
            .may(Kind.STORAGE_CLASS, GET)
            .may(Kind.ATTRIBUTES_CLASS, GET, LIST);
    return page.asksForCredentials() ? all.with(OF_CONSOLE) : all;
  }

  private static Rights ofElection(LeaderElection.Config election) {
    return Rights.to("leader election")
        .in(election.lease().namespace())
        .may(Kind.LEASE, CREATE)
        .mayNamed(Kind.LEASE, election.lease().name(), GET, PATCH)
        .mayTell();
  }
}
