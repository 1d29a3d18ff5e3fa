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
      new AttachTarget(ID, "pv", true, "pv", VolumeSource.hostPath("/dev/v"), Map.of());

  final Disks disks = new Disks();
  final LoadedPlugins plugins =
      new LoadedPlugins() {
        @Override
        public Optional<VolumePlugin> find(String name) {
          return name.equals(disks.name()) ? Optional.of(disks) : Optional.empty();
        }

        @Override
        public List<VolumePlugin> findSupporting(VolumeSource source) {
          return List.of(disks);
        }

        @Override
        public Map<String, Long> generations() {
          return hasAnswered ? Map.of() : Map.of(disks.name(), 1L);
        }
      };
  final SimTime time = new SimTime();
  final AttachCluster cluster = new AttachCluster();
  final StateOfWorld state = new StateOfWorld();
  final DesiredStateOfWorld desired = state.desired();
  final ActualStateOfWorld actual = state.actual();
  final AttachStats stats = new AttachStats();
  final RecordingRequeue queues = new RecordingRequeue();
  final List<String> batchedStatuses = queues.batchedStatuses;
  boolean hasAnswered = true;
  final VolumeResolver resolver = new VolumeResolver(cluster.caches(), plugins);
  final AttachBackends backends =
      new AttachBackends(
          new VolumeAttachments(
              cluster.attachments,
              cluster.ports(time),
              java.time.Duration.ofMinutes(2),
              Compat.MOORING),
          plugins,
          new PluginAnswers(resolver, queues));
  final PodReporter reporter =
      new PodReporter(
          cluster::recordEvent, state.desired(), stats, time, AttachEventStyle.EXPLAINING);
  final NodeStatusWriter statusWriter =
      new NodeStatusWriter(state, cluster.nodes, cluster.ports(time), queues, Compat.MOORING);
  final AttachJobs attachJobs =
      new AttachJobs(
          state,
          resolver,
          backends,
          new DanglingSearch(
              new PluginInventory(actual, resolver, backends, reporter, queues),
              cluster.nodes,
              Optional.empty(),
              Compat.MOORING,
              time),
          new ForeignAttachments(cluster.attachments, resolver, Compat.MOORING),
          reporter,
          queues);
  final DetachJobs detachJobs =
      new DetachJobs(
          state,
          backends,
          statusWriter,
          new NodeChecks(
              cluster.server,
              new DeadNodeTracker(
                  new LeaseFencing(cluster.server, state.suspects(), time),
                  plugins,
                  state.suspects()),
              cluster::recordEvent,
              AttachEventStyle.EXPLAINING),
          reporter);

  /** Plugin with programmed answers that records its calls. */
  static final class Disks implements VolumePlugin, Attacher, NodeFencing {
    final List<String> calls = new ArrayList<>();
    Optional<Failure> failure = Optional.empty();
    Verdict verdict = new Verdict.Unproven("unknown");

    @Override
    public String name() {
      return "example.com/disk";
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("hostPath");
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
      return failure.<Attempt<T>>map(Attempt.Failed::new).orElseGet(() -> Attempt.done(value));
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
    return isSuccess(
        attachJobs.attach(target, "n1", actual.setUncertain(target.id(), "n1", target)));
  }

  static boolean isSuccess(JobResult result) {
    return result instanceof JobResult.Done || result instanceof JobResult.Noted;
  }

  boolean detach(Grounds grounds) throws InterruptedException {
    DetachLimiter limiter = new DetachLimiter(new SimTime(), 1, 1);
    DetachLimiter.Permit permit = limiter.createPermit("ns", false);
    permit.awaitGrant(() -> {});
    boolean isDetached = isSuccess(detachJobs.detach(ID, "n1", grounds, permit));
    permit.release();
    return isDetached;
  }

  void attachAndEndPod() throws InterruptedException {
    attach(TARGET);
    desired.end(ObjectKey.of("ns", "p"));
    disks.calls.clear();
    batchedStatuses.clear();
    cluster.takeNotes();
  }
}
