package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.RecordingRequeue;
import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.PluginAnswers;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.JobResult;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;

/** Attaches and detaches from the decision to the plugin. */
abstract class AttachDetachJobsFixture {
  static final VolumeId ID = VolumeId.of("example.com/disk", "v");
  static final AttachTarget TARGET =
      new AttachTarget(ID, "pv", true, "pv", new VolumeSource("disk", Map.of()), Map.of());

  final Disks disks = new Disks();
  final LoadedPlugins plugins =
      new LoadedPlugins() {
        @Override
        public Optional<VolumePlugin> named(String name) {
          return name.equals(disks.name()) ? Optional.of(disks) : Optional.empty();
        }

        @Override
        public List<VolumePlugin> supporting(VolumeSource source) {
          return List.of(disks);
        }

        @Override
        public Map<String, Long> generations() {
          return heard ? Map.of() : Map.of(disks.name(), 1L);
        }
      };
  final SimTime time = new SimTime();
  final AttachCluster cluster = new AttachCluster();
  final StateOfWorld worlds = new StateOfWorld();
  final DesiredStateOfWorld desired = worlds.desired();
  final ActualStateOfWorld actual = worlds.actual();
  final AttachStats stats = new AttachStats();
  final RecordingRequeue requeue = new RecordingRequeue();
  final List<String> listed = requeue.listed;
  boolean heard = true;
  final VolumeResolver resolver = new VolumeResolver(cluster.caches(), plugins);
  final AttachBackends backends =
      new AttachBackends(
          new VolumeAttachments(
              cluster.attachments,
              cluster.ports(time),
              java.time.Duration.ofMinutes(2),
              Compat.MOORING),
          plugins,
          new PluginAnswers(resolver, requeue));
  final PodReporter reporter =
      new PodReporter(cluster::tell, worlds.desired(), stats, time, AttachEventStyle.EXPLAINING);
  final NodeStatusWriter statuses =
      new NodeStatusWriter(worlds, cluster.nodes, cluster.ports(time), requeue, Compat.MOORING);
  final AttachJobs attaches =
      new AttachJobs(
          worlds,
          resolver,
          backends,
          new DanglingSearch(
              new PluginInventory(actual, resolver, backends, reporter, requeue),
              cluster.nodes,
              Optional.empty(),
              Compat.MOORING,
              time),
          reporter,
          requeue);
  final DetachJobs detaches =
      new DetachJobs(
          worlds,
          backends,
          statuses,
          new NodeChecks(
              cluster.server,
              new DeadNodeTracker(
                  new LeaseFencing(cluster.server, worlds.suspects(), time),
                  plugins,
                  worlds.suspects()),
              cluster::tell,
              AttachEventStyle.EXPLAINING),
          reporter);

  /** Plugin with programmed answers that records its calls. */
  static final class Disks implements VolumePlugin, Attacher, NodeFencing {
    final List<String> calls = new ArrayList<>();
    Optional<Failure> fails = Optional.empty();
    Verdict verdict = new Verdict.Unproven("unknown");

    @Override
    public String name() {
      return "example.com/disk";
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("disk");
    }

    @Override
    public Optional<Attacher> attacher() {
      return Optional.of(this);
    }

    @Override
    public Optional<NodeFencing> fencing() {
      return Optional.of(this);
    }

    @Override
    public Verdict assess(String node) {
      return verdict;
    }

    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return Optional.of("v");
    }

    <T> Attempt<T> answer(String call, T value) {
      calls.add(call);
      return fails.<Attempt<T>>map(Attempt.Failed::new).orElseGet(() -> Attempt.done(value));
    }

    @Override
    public Attempt<Attached> attach(Request request) {
      return answer("attach " + request.node(), new Attached("/dev/v"));
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      return answer("detach " + node, new Detached());
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      return Attempt.done(volumeNames);
    }
  }

  @BeforeEach
  void putNodeWithPod() {
    cluster.node("n1");
    desired.use(new PodUse(ObjectKey.of("ns", "p"), Uid.of("1"), "n1"), List.of(TARGET), Set.of());
  }

  boolean attach(AttachTarget target) throws InterruptedException {
    return succeeded(attaches.attach(target, "n1", actual.setUncertain(target.id(), "n1", target)));
  }

  static boolean succeeded(JobResult end) {
    return end instanceof JobResult.Done || end instanceof JobResult.Noted;
  }

  boolean detach(Grounds grounds) throws InterruptedException {
    DetachLimiter limiter = new DetachLimiter(new SimTime(), 1, 1);
    DetachLimiter.Permit permit = limiter.permit("ns", false);
    permit.whenGranted(() -> {});
    boolean succeeded = succeeded(detaches.detach(ID, "n1", grounds, permit));
    permit.end();
    return succeeded;
  }

  void attachedWithoutPod() throws InterruptedException {
    attach(TARGET);
    desired.end(ObjectKey.of("ns", "p"));
    disks.calls.clear();
    listed.clear();
    cluster.takeNotes();
  }
}
