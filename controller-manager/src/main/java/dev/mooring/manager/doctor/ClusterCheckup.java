package dev.mooring.manager.doctor;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Explanation;
import dev.mooring.informer.ListWatchException;
import dev.mooring.kube.AccessReviews;
import dev.mooring.kube.AccessReviews.Answer;
import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeEvents;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.kube.ServerDocuments;
import dev.mooring.kube.ServerDocuments.ServerVersion;
import dev.mooring.live.RawObject;
import dev.mooring.manager.doctor.BinderCheck.Binds;
import dev.mooring.manager.doctor.BinderCheck.Leader;
import dev.mooring.manager.explain.ClusterExplainers;
import dev.mooring.manager.explain.ListedClusterView;
import dev.mooring.manager.explain.WaitingObjectScan;
import dev.mooring.manager.peer.KubeControllerManager;
import dev.mooring.manager.peer.LeaderProbe;
import dev.mooring.manager.peer.MooringPods;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Lease;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All checks of a cluster that need no CSI driver. Reads only. */
public final class ClusterCheckup {
  private static final int OLDEST_MINOR = 31;
  private static final int NEWEST_MINOR = 36;
  private static final Pattern VERSION = Pattern.compile("v1\\.(\\d{1,4})\\..*");
  private static final Duration MAX_SKEW = Duration.ofSeconds(2);
  private static final int MAX_SHOWN_RIGHTS = 3;
  private static final String RIGHTS = "rights";
  private static final String NOT_SERVED = "the server answered 404";
  private static final String ADMISSION_GROUP = "admissionregistration.k8s.io";

  private static final List<Kind<?>> WEBHOOKS =
      List.of(
          configurations("validatingwebhookconfigurations", "ValidatingWebhookConfiguration"),
          configurations("mutatingwebhookconfigurations", "MutatingWebhookConfiguration"));

  private static final Kind<Resource> ENDPOINT_SLICES =
      new Kind<>("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true, Resource.class);

  private final KubeConnection connection;
  private final Time time;
  private final KubeCluster cluster;
  private final ServerDocuments documents;
  private final Setup setup;

  /**
   * Expectations that the checks compare the cluster with.
   *
   * @param mode mode whose rights are checked
   * @param rights rights of that mode
   * @param plugins names of the plugins of this program
   * @param version version of this program
   */
  public record Setup(String mode, List<RbacRule> rights, Set<String> plugins, String version) {}

  public ClusterCheckup(KubeConnection connection, Time time, Setup setup) {
    this.connection = connection;
    this.time = time;
    this.cluster = KubeCluster.alone(connection, time);
    this.documents = new ServerDocuments(connection, time);
    this.setup = setup;
  }

  private static Kind<Resource> configurations(String plural, String kind) {
    return new Kind<>(ADMISSION_GROUP, "v1", plural, kind, false, Resource.class);
  }

  /** Runs the checks. If the server cannot be reached, returns only that result. */
  public List<CheckFinding> results() throws InterruptedException {
    List<CheckFinding> result = new ArrayList<>();
    try {
      ServerVersion version = documents.version();
      result.add(
          CheckFinding.ok(
              "server",
              "%s answers in %d ms"
                  .formatted(connection.address(), version.roundTrip().toMillis())));
      result.add(version(version.version()));
      version.clockAhead().ifPresent(ahead -> result.add(clock(ahead)));
    } catch (IOException e) {
      String problem = connection.probe();
      result.add(
          CheckFinding.fail(
              "server",
              problem.isEmpty() ? connection.address() + ": " + e.getMessage() : problem,
              ""));
      return result;
    }
    List<RbacRule> missing = findMissingRights();
    result.add(rights(missing));
    result.addAll(new KindsCheck(setup.rights(), missing).results(this::isServed));
    result.add(binders());
    result.addAll(storage());
    result.addAll(snapshots());
    result.addAll(webhooks());
    return result;
  }

  private CheckFinding version(String server) {
    String text =
        "Kubernetes %s; Mooring %s supports 1.%d to 1.%d"
            .formatted(server, setup.version(), OLDEST_MINOR, NEWEST_MINOR);
    Matcher minor = VERSION.matcher(server);
    boolean isSupported =
        minor.matches()
            && Integer.parseInt(minor.group(1)) >= OLDEST_MINOR
            && Integer.parseInt(minor.group(1)) <= NEWEST_MINOR;
    return isSupported
        ? CheckFinding.ok("version", text)
        : CheckFinding.warn("version", text, "read docs/upgrade.md before you continue");
  }

  private static CheckFinding clock(Duration ahead) {
    double seconds = Math.abs(ahead.toMillis()) / 1000.0;
    String text =
        String.format(
            Locale.ROOT,
            "the server's clock is %.1f s %s",
            seconds,
            ahead.isNegative() ? "behind" : "ahead");
    return ahead.abs().compareTo(MAX_SKEW) <= 0
        ? CheckFinding.ok("clock", text)
        : CheckFinding.warn(
            "clock", text, "synchronize both clocks: ages and Leases are read with this clock");
  }

  private static boolean isChecked(RbacRule right) {
    return !right.target().namespace().equals(Target.NAMESPACES_OF_CLASSES);
  }

  private List<RbacRule> findMissingRights() {
    AccessReviews reviews = new AccessReviews(connection);
    Map<String, Answer> answers = new HashMap<>();
    return setup.rights().stream()
        .filter(ClusterCheckup::isChecked)
        .filter(right ->
            answers.computeIfAbsent(nameOf(right), name -> reviews.check(right)) == Answer.DENIED)
        .toList();
  }

  private static String nameOf(RbacRule right) {
    return new RbacRule(right.verb(), right.target(), "").toString();
  }

  private boolean isServed(Target target) throws InterruptedException {
    for (Kind<?> kind : Kind.ALL) {
      if (kind.group().equals(target.group()) && kind.plural().equals(target.resource())) {
        return !isUnserved(kind);
      }
    }
    return true;
  }

  private <T extends Resource> boolean isUnserved(Kind<T> kind) throws InterruptedException {
    try {
      new KubeListWatch<>(connection, kind).listFirstPage(1, object -> {});
      return false;
    } catch (ListWatchException e) {
      return e.reason() == ListWatchException.Reason.NO_SUCH_RESOURCE;
    }
  }

  private CheckFinding rights(List<RbacRule> missingRights) {
    int checked =
        (int)
            setup.rights().stream()
                .filter(ClusterCheckup::isChecked)
                .map(ClusterCheckup::nameOf)
                .distinct()
                .count();
    List<String> missing = missingRights.stream().map(ClusterCheckup::nameOf).distinct().toList();
    if (missing.isEmpty()) {
      return CheckFinding.ok(
          RIGHTS, "this user has the %d rights of mode %s".formatted(checked, setup.mode()));
    }
    String suffix =
        missing.size() > MAX_SHOWN_RIGHTS
            ? " and " + (missing.size() - MAX_SHOWN_RIGHTS) + " more"
            : "";
    return CheckFinding.warn(
        RIGHTS,
        "this user lacks %d of the %d rights of mode %s: %s%s"
            .formatted(
                missing.size(),
                checked,
                setup.mode(),
                String.join(", ", missing.subList(0, Math.min(MAX_SHOWN_RIGHTS, missing.size()))),
                suffix),
        "if Mooring runs as this user: mooring rights --mode=%s | kubectl apply -f -"
            .formatted(setup.mode()));
  }

  private CheckFinding binders() throws InterruptedException {
    KubeControllerManager kubernetes = new KubeControllerManager(cluster, time);
    try {
      List<Leader> leaders = new ArrayList<>();
      MooringPods pods = new MooringPods(cluster);
      for (Lease lease : list(Kind.LEASE)) {
        ObjectKey key = lease.meta().key();
        if (key.name().contains("mooring") && new LeaderProbe(cluster, time, key).isFresh(lease)) {
          Binds binds =
              pods.binds(key, lease.holder())
                  .map(isBinder -> isBinder ? Binds.YES : Binds.NO)
                  .orElse(Binds.UNKNOWN);
          leaders.add(new Leader(key.toString(), lease.holder(), binds));
        }
      }
      Optional<String> holder = kubernetes.apparentHolder();
      return new BinderCheck(holder, holder.isEmpty() ? List.of() : kubernetes.flags(), leaders)
          .result();
    } catch (IOException e) {
      return unread("binders", e);
    }
  }

  private List<CheckFinding> storage() throws InterruptedException {
    try {
      List<StorageClass> classes = list(Kind.STORAGE_CLASS);
      List<Claim> claims = list(Kind.CLAIM);
      List<CheckFinding> findings =
          new StorageCheck(
                  classes,
                  list(Kind.CSI_DRIVER),
                  list(Kind.CSI_NODE),
                  claims,
                  list(Kind.VOLUME),
                  setup.plugins(),
                  time.now())
              .results();
      findings.addAll(
          new DriverOutageCheck(classes, claims, list(Kind.ATTACHMENT), time.now())
              .results(new KubeEvents(cluster)));
      return findings;
    } catch (IOException e) {
      return List.of(unread("storage", e));
    }
  }

  private List<CheckFinding> snapshots() throws InterruptedException {
    ListedClusterView view =
        ListedClusterView.read(
            new ListedClusterView.Source(
                connection, cluster, new KubeEvents(cluster), LoadedPlugins.NONE),
            "",
            ClusterExplainers.readKinds(Kind.SNAPSHOT_KINDS),
            null);
    WaitingObjectScan scan =
        new WaitingObjectScan(view, List.of(new ClusterExplainers(view, Compat.MOORING, time)), "");
    List<Kind<?>> unserved = new ArrayList<>();
    for (Kind<?> kind : Kind.SNAPSHOT_KINDS) {
      scan.scan(kind);
      if (isUnserved(kind)) {
        unserved.add(kind);
      }
    }
    return new SnapshotCheck(
            scan.objectCount(),
            scan.explanations().stream().sorted(Explanation.BY_URGENCY).toList(),
            scan.unseen(),
            unserved)
        .results();
  }

  private List<CheckFinding> webhooks() throws InterruptedException {
    List<RawObject> configurations = new ArrayList<>();
    for (Kind<?> kind : WEBHOOKS) {
      switch (documents.list(kind)) {
        case ReadResult.Found<List<RawObject>>(List<RawObject> configurationList) ->
            configurations.addAll(configurationList);
        case ReadResult.Absent<List<RawObject>> _ -> {
          // the server has no admission webhooks
        }
        case ReadResult.Failed<List<RawObject>>(String message)
            when message.contains(NOT_SERVED) -> {
          // the server has no admission webhooks
        }
        case ReadResult.Failed<List<RawObject>>(String message) -> {
          return List.of(
              unread("webhooks", new IOException("cannot list " + kind.plural() + ": " + message)));
        }
      }
    }
    return new WebhookCheck(setup.rights(), this::isUnavailable).results(configurations);
  }

  private boolean isUnavailable(String service) {
    int slash = service.indexOf('/');
    ObjectKey key = ObjectKey.of(service.substring(0, slash), service.substring(slash + 1));
    try {
      return documents
          .list(ENDPOINT_SLICES, key.namespace(), "kubernetes.io/service-name=" + key.name())
          .toOptional()
          .filter(slices -> slices.stream().noneMatch(ClusterCheckup::hasReadyEndpoint))
          .isPresent();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  // as in Kubernetes, an unknown condition counts as ready
  private static boolean hasReadyEndpoint(RawObject slice) {
    return slice.objects("endpoints").stream()
        .map(endpoint -> endpoint.at("conditions").members().get("ready"))
        .anyMatch(ready -> !Boolean.FALSE.equals(ready));
  }

  private static CheckFinding unread(String check, IOException e) {
    return CheckFinding.warn(
        check,
        "not checked: " + e.getMessage(),
        "run the command as a user who may list these objects");
  }

  private <T extends Resource> List<T> list(Kind<T> kind) throws IOException, InterruptedException {
    List<T> result = new ArrayList<>();
    try {
      new KubeListWatch<>(connection, kind).list(result::add);
      return result;
    } catch (ListWatchException e) {
      throw new IOException("cannot list " + kind.plural() + ": " + e.getMessage(), e);
    }
  }
}
