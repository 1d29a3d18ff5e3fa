package dev.mooring.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestGuards;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the controller reconciles claims and volumes. */
class ProvisionControllerTest {
  private static final Map<String, String> OURS =
      Map.of("volume.kubernetes.io/storage-provisioner", "ours");

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final FakeStorage storage = new FakeStorage();
  private final ProvisionController controller = createController(ProvisionConfig.DEFAULTS);
  private final StepwiseController steps = new StepwiseController(controller.spec(), time);

  private ProvisionController createController(ProvisionConfig config) {
    return new ProvisionController(
        new ProvisionedStorage(
            "ours",
            storage,
            config.withReporter("ours"),
            wake -> {},
            wake -> {},
            Optional.of(cluster.informers().of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME)),
            Optional.empty()),
        cluster.informers(),
        TestPorts.of(cluster, cluster, time),
        new SharedState(
            TestGuards.of(new DeletionBreaker(1000, Duration.ofMinutes(10), time), time),
            new SavedVolumes(),
            new ProtectionHandover()));
  }

  /** Returns the claim, bound to another volume in the meantime. */
  private static Claim bound() {
    return TestObjects.like(ProvisionedClaims.claimWithNote(OURS))
        .volumeName("another")
        .phase(ClaimPhase.BOUND)
        .build();
  }

  private long countStorageCalls() {
    return storage.requests.stream().filter(what -> what.startsWith("make ")).count();
  }

  private void failWithUnknownOutcome(int times) {
    for (int i = 0; i < times; i++) {
      storage.results.add(new ProvisionResult.Failed(State.BACKGROUND, false, "no answer"));
    }
  }

  /**
   * Writes to the size or the conditions of a claim do not concern an unfinished provision call.
   */
  @Test
  void claimBoundElsewhere_whileCallIsUnfinished_isRetriedWithBackOff()
      throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    Claim claim = cluster.put(Kind.CLAIM, ProvisionedClaims.claimWithNote(OURS));
    steps.start();
    failWithUnknownOutcome(100);
    steps.settle();
    long callsBefore = countStorageCalls();
    cluster.put(Kind.CLAIM, bound());
    for (int i = 0; i < 10; i++) {
      time.advance(Duration.ofMillis(10));
      cluster.put(Kind.CLAIM, bound());
      steps.settle();
    }
    assertThat(countStorageCalls())
        .as("calls within 100 ms for " + claim.key())
        .isLessThanOrEqualTo(callsBefore + 1);
    time.advance(Duration.ofSeconds(10));
    steps.settle();
    assertThat(countStorageCalls()).as("calls continue").isGreaterThan(callsBefore);
  }

  /** The controller's own writes to the claim must not trigger the next attempt. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void failedCall_ownWrites_doNotTriggerRetry(boolean afterARestart) throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    cluster.put(
        Kind.CLAIM,
        afterARestart ? ProvisionedClaims.claimWithNote(OURS) : ProvisionedClaims.claim(OURS, ""));
    steps.start();
    failWithUnknownOutcome(100);
    steps.settle();
    assertThat(countStorageCalls()).isEqualTo(1);
    time.advance(Duration.ofSeconds(10));
    steps.settle();
    assertThat(countStorageCalls()).as("retries with back-off").isGreaterThan(1);
  }

  /** The controller's own writes to the claim are no change that causes another attempt. */
  @Test
  void claim_failedMoreOftenThanThreshold_waitsForItsChange() throws InterruptedException {
    ProvisionConfig defaults = ProvisionConfig.DEFAULTS;
    StepwiseController limited =
        new StepwiseController(
            createController(
                    new ProvisionConfig(
                        defaults.workers(),
                        defaults.firstRetry(),
                        defaults.lastRetry(),
                        "ours",
                        defaults.names(),
                        new ProvisionConfig.Thresholds(2, 0)))
                .spec(),
            time);
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    Claim claim = cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    for (int i = 0; i < 4; i++) {
      storage.results.add(new ProvisionResult.Failed(State.FINISHED, false, "full"));
    }
    limited.start();
    advance(limited, Duration.ofHours(1));
    assertThat(countStorageCalls()).isEqualTo(3);
    assertThat(cluster.events())
        .extracting(ClusterEvent::note)
        .last()
        .isEqualTo("full; given up until it changes");
    cluster.put(
        Kind.CLAIM, TestObjects.like(cluster.get(Kind.CLAIM, claim.key())).request("2Gi").build());
    advance(limited, Duration.ofHours(1));
    assertThat(countStorageCalls()).as("one attempt for the change").isEqualTo(4);
    cluster.put(
        Kind.CLAIM, TestObjects.like(cluster.get(Kind.CLAIM, claim.key())).request("3Gi").build());
    limited.settle();
    assertThat(cluster.events()).extracting(ClusterEvent::reason).contains("ProvisioningSucceeded");
  }

  /** The attempt is no failure: neither an event nor a back-off. */
  @Test
  void claim_ofOtherProvisioner_isEvaluatedAgainAfterItsChange() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    Claim claim = cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    storage.plans.add(new Plan.NotResponsible("team b serves it"));
    steps.start();
    advance(Duration.ofHours(1));
    assertThat(storage.requests).isEmpty();
    assertThat(cluster.events()).isEmpty();
    assertThat(cluster.get(Kind.CLAIM, claim.key()).meta().resourceVersion())
        .as("version of the claim, which nobody writes")
        .isEqualTo(claim.meta().resourceVersion());
    cluster.put(Kind.CLAIM, TestObjects.like(claim).request("2Gi").build());
    steps.settle();
    assertThat(countStorageCalls()).isEqualTo(1);
  }

  private void replaceClass(boolean isDeletionSeen) throws InterruptedException {
    if (isDeletionSeen) {
      cluster.remove(Kind.STORAGE_CLASS, ObjectKey.cluster("fast"));
      steps.settle();
    }
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false, "later"));
    steps.settle();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void claim_ofOtherProvisioner_isEvaluatedAgainAfterItsClassIsReplaced(boolean isDeletionSeen)
      throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    storage.plans.add(new Plan.NotResponsible("team b serves the parameters of the class"));
    steps.start();
    steps.settle();
    assertThat(countStorageCalls()).isZero();
    replaceClass(isDeletionSeen);
    assertThat(countStorageCalls()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void claim_infeasibleRequest_isProvisionedAtOnceAfterItsClassIsReplaced(boolean isDeletionSeen)
      throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "no such parameter"));
    steps.start();
    steps.settle();
    assertThat(countStorageCalls()).isEqualTo(1);
    replaceClass(isDeletionSeen);
    assertThat(countStorageCalls()).isEqualTo(2);
  }

  /** The back-off is several minutes at that time. */
  @Test
  void claim_classAppears_isProvisionedAtOnce() throws InterruptedException {
    cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    steps.start();
    advance(Duration.ofMinutes(5));
    assertThat(countStorageCalls()).isZero();
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    steps.settle();
    assertThat(countStorageCalls()).isEqualTo(1);
  }

  /**
   * An earlier attempt failed on its node. The binder writes nothing, because the claim names its
   * provisioner already.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void claim_classNoLongerWaitsForConsumer_isProvisionedAtOnce(boolean isDeletionSeen)
      throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", true));
    cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    steps.start();
    steps.settle();
    assertThat(countStorageCalls()).isZero();
    replaceClass(isDeletionSeen);
    assertThat(countStorageCalls()).isEqualTo(1);
  }

  /** The claim names its provisioner all the time, so the binder writes nothing. */
  @Test
  void claim_classNamesItsProvisionerAgain_isProvisionedAtOnce() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("else/where", true));
    cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    steps.start();
    steps.settle();
    assertThat(countStorageCalls()).isZero();
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false, "later"));
    steps.settle();
    assertThat(countStorageCalls()).isEqualTo(1);
  }

  /** The back-off of the claim continues, because an earlier call may be unfinished. */
  @Test
  void claim_woken_isProvisionedAtOnceAndKeepsBackOff() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    for (int i = 0; i < 100; i++) {
      storage.plans.add(
          new Plan.Blocked(new ProvisionResult.Failed(State.UNCHANGED, false, "no source")));
    }
    cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    steps.start();
    advance(Duration.ofMinutes(5));
    assertThat(countStorageCalls()).isZero();
    storage.plans.clear();
    failWithUnknownOutcome(100);
    controller.wakeClaim(new ClaimRef(ProvisionedClaims.CLAIM, Uid.of("another")));
    steps.settle();
    assertThat(countStorageCalls()).as("wake-up for another claim with the same name").isZero();
    controller.wakeClaim(new ClaimRef(ProvisionedClaims.CLAIM, Uid.of("u")));
    steps.settle();
    long firstCall = countStorageCalls();
    assertThat(firstCall).isPositive();
    time.advance(Duration.ofMinutes(1));
    steps.settle();
    assertThat(countStorageCalls()).as("in the following minute").isEqualTo(firstCall);
  }

  private void advance(Duration duration) throws InterruptedException {
    advance(steps, duration);
  }

  private void advance(StepwiseController controllerSteps, Duration duration)
      throws InterruptedException {
    for (long i = 0; i < duration.toSeconds(); i++) {
      time.advance(Duration.ofSeconds(1));
      controllerSteps.settle();
    }
  }

  private long countDestroyed() {
    return storage.requests.stream().filter(what -> what.startsWith("destroy ")).count();
  }

  private void addAttachment(String attachment, Volume volume) {
    cluster.put(
        Kind.ATTACHMENT,
        TestObjects.attachment(attachment).volumeName(volume.meta().name()).attached(true).build());
  }

  /** The back-off is several minutes at that time, and no other event may follow. */
  @Test
  void releasedVolume_lastAttachmentGone_isDeletedAtOnce() throws InterruptedException {
    Volume volume =
        ProvisionedClaims.volume(
            VolumeSource.csi("ours", "h"),
            Map.of(VolumeRules.PROVISIONED_BY, "ours"),
            ReclaimPolicy.DELETE,
            VolumePhase.RELEASED,
            List.of(VolumeRules.FINALIZER),
            false);
    cluster.put(Kind.VOLUME, volume);
    addAttachment("of-it", volume);
    addAttachment("of-it-elsewhere", volume);
    Volume another = cluster.put(Kind.VOLUME, ProvisionedClaims.volumeOf("another", volume));
    addAttachment("of-another", another);
    storage.destroying = new DestroyResult.Failed("still attached");
    steps.start();
    steps.settle();
    long callsBefore = countDestroyed();
    assertThat(callsBefore).isPositive();

    cluster.remove(Kind.ATTACHMENT, ObjectKey.cluster("of-it-elsewhere"));
    steps.settle();
    assertThat(countDestroyed()).as("one attachment remains").isEqualTo(callsBefore);
    cluster.remove(Kind.ATTACHMENT, ObjectKey.cluster("of-another"));
    steps.settle();
    assertThat(storage.requests.getLast()).as("another's").isEqualTo("destroy another");
    assertThat(countDestroyed()).isEqualTo(callsBefore + 1);

    storage.destroying = new DestroyResult.Destroyed();
    cluster.remove(Kind.ATTACHMENT, ObjectKey.cluster("of-it"));
    steps.settle();
    assertThat(cluster.read(Kind.VOLUME, volume.key())).isInstanceOf(ReadResult.Absent.class);
  }

  /** The watch missed that the other volume was deleted. */
  @Test
  void releasedVolume_otherVolumeOfItsStorageIsReplaced_isDeletedAtOnce()
      throws InterruptedException {
    Volume volume =
        ProvisionedClaims.volume(
            VolumeSource.csi("ours", "h"),
            Map.of(VolumeRules.PROVISIONED_BY, "ours"),
            ReclaimPolicy.DELETE,
            VolumePhase.RELEASED,
            List.of(VolumeRules.FINALIZER),
            false);
    cluster.put(Kind.VOLUME, volume);
    cluster.put(
        Kind.VOLUME,
        TestObjects.like(ProvisionedClaims.twinOf("twin", volume))
            .phase(VolumePhase.BOUND)
            .build());
    steps.start();
    passMinutes(10);
    assertThat(countDestroyed()).isZero();
    cluster.put(
        Kind.VOLUME,
        TestObjects.like(ProvisionedClaims.volumeOf("twin", volume))
            .uid("later")
            .phase(VolumePhase.BOUND)
            .build());
    steps.settle();
    assertThat(storage.requests.getLast()).isEqualTo("destroy v");
  }

  private void startController(State... states) throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    for (State state : states) {
      storage.results.add(new ProvisionResult.Failed(state, false, "no"));
    }
    steps.start();
    steps.settle();
    assertThat(isNoted()).isTrue();
  }

  /** An earlier process may have created storage that no PersistentVolume records. */
  @Test
  void volumeName_ofAnotherClaimsVolume_deletedClaimInDoubtStays() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    Volume foreignVolume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.like(ProvisionedClaims.volume(VolumeSource.csi("ours", "h"), Map.of()))
                .key(ObjectKey.cluster("pvc-u"))
                .annotations(Map.of())
                .claimRef(ObjectKey.of("other", "claim"), "u2")
                .build());
    Claim claim = cluster.put(Kind.CLAIM, ProvisionedClaims.deleted(true, OURS));
    steps.start();
    passMinutes(1);
    assertThat(cluster.get(Kind.CLAIM, claim.key()).meta().finalizers())
        .contains(VolumeService.BEING_MADE);
    cluster.remove(Kind.VOLUME, foreignVolume.key());
    passMinutes(10);
    assertThat(cluster.get(Kind.CLAIM, claim.key()).meta().finalizers())
        .doesNotContain(VolumeService.BEING_MADE);
    assertThat(cluster.get(Kind.VOLUME, foreignVolume.key()).claimRef().uid())
        .isEqualTo(Uid.of("u"));
  }

  @Test
  void volumeName_ofAnotherClaimsVolume_isReportedAndNothingIsProvisioned()
      throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    Volume foreignVolume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.like(ProvisionedClaims.volume(VolumeSource.csi("ours", "h"), Map.of()))
                .key(ObjectKey.cluster("pvc-u"))
                .claimRef(ObjectKey.of("other", "claim"), "u2")
                .build());
    cluster.put(Kind.CLAIM, ProvisionedClaims.claim(OURS, ""));
    steps.start();
    passMinutes(1);
    assertThat(cluster.events())
        .filteredOn(event -> event.reason().equals("ProvisioningFailed"))
        .isNotEmpty()
        .allSatisfy(event ->
            assertThat(event.note())
                .contains(
                    "\"pvc-u\" exists already", "of another namespace", "create the claim again")
                .doesNotContain("other/claim"));
    assertThat(countStorageCalls()).isZero();
    cluster.remove(Kind.VOLUME, foreignVolume.key());
    passMinutes(10);
    assertThat(countStorageCalls()).isEqualTo(1);
    assertThat(cluster.get(Kind.VOLUME, foreignVolume.key()).claimRef().uid())
        .isEqualTo(Uid.of("u"));
  }

  private boolean isNoted() {
    return cluster.read(Kind.CLAIM, ProvisionedClaims.CLAIM).toOptional().stream()
        .anyMatch(claim -> claim.meta().finalizers().contains(VolumeService.BEING_MADE));
  }

  private void deleteWithItsClass() {
    cluster.remove(Kind.STORAGE_CLASS, ObjectKey.cluster("fast"));
    Claim claim = cluster.get(Kind.CLAIM, ProvisionedClaims.CLAIM);
    cluster.put(Kind.CLAIM, TestObjects.like(claim).deleted(2).build());
  }

  private void passMinutes(int minutes) throws InterruptedException {
    for (int i = 0; i < minutes; i++) {
      time.advance(Duration.ofMinutes(1));
      steps.settle();
    }
  }

  @Test
  void deletedClaim_withoutItsClass_losesTheNoteIfNothingIsInDoubt() throws InterruptedException {
    startController(State.ENDED, State.ENDED);
    deleteWithItsClass();
    passMinutes(10);
    assertThat(isNoted()).isFalse();
    assertThat(countStorageCalls()).isLessThanOrEqualTo(2);
  }

  @Test
  void deletedClaim_withoutItsClass_isFinishedWithKnownParameters() throws InterruptedException {
    startController(State.BACKGROUND, State.BACKGROUND);
    deleteWithItsClass();
    passMinutes(10);
    assertThat(cluster.read(Kind.VOLUME, ObjectKey.cluster("pvc-u")).toOptional()).isPresent();
    assertThat(isNoted()).isFalse();
  }

  /** If the volume is being deleted too, no binder binds it, and it waits for its claim. */
  @Test
  void deletedClaim_withoutItsClassButWithSavedVolume_losesTheNote() throws InterruptedException {
    startController();
    deleteWithItsClass();
    passMinutes(10);
    assertThat(isNoted()).isFalse();
  }

  @Test
  void deletedClaim_withoutItsClassAndNote_isNotRetried() throws InterruptedException {
    cluster.put(Kind.CLAIM, ProvisionedClaims.deleted(false, OURS));
    steps.start();
    steps.settle();
    assertThat(steps.isIdle()).isTrue();
    time.advance(Duration.ofMinutes(1));
    assertThat(steps.isIdle()).isTrue();
  }

  /** After a restart the parameters of an earlier call are unknown without the class. */
  @Test
  void deletedClaim_ofEarlierProcessWithoutItsClass_staysWithAnEvent() throws InterruptedException {
    cluster.put(
        Kind.CLAIM, TestObjects.like(ProvisionedClaims.claimWithNote(OURS)).deleted(2).build());
    steps.start();
    passMinutes(1);
    assertThat(isNoted()).isTrue();
    assertThat(cluster.events())
        .anySatisfy(event ->
            assertThat(event.note())
                .contains("StorageClass \"fast\" does not exist")
                .contains("remove its finalizer " + VolumeService.BEING_MADE));
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    passMinutes(6);
    assertThat(isNoted()).as("the class exists again").isFalse();
  }

  /** A late write of the earlier process removes the finalizer, and the claim is gone. */
  @Test
  void deletedClaim_goneWithFinalizerOfEarlierProcess_causesNoCall() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    cluster.put(
        Kind.CLAIM, TestObjects.like(ProvisionedClaims.claimWithNote(OURS)).deleted(2).build());
    storage.plans.add(
        new Plan.Blocked(new ProvisionResult.Failed(State.FINISHED, false, "not yet")));
    steps.start();
    steps.settle();
    assertThat(countStorageCalls()).isZero();
    cluster.remove(Kind.CLAIM, ProvisionedClaims.CLAIM);
    passMinutes(10);
    assertThat(countStorageCalls()).isZero();
  }

  @Test
  void deletedClaim_classOfOtherProvisioner_isFinishedWithKnownParameters()
      throws InterruptedException {
    startController(State.BACKGROUND, State.BACKGROUND);
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("others", false, "s2"));
    Claim claim = cluster.get(Kind.CLAIM, ProvisionedClaims.CLAIM);
    cluster.put(Kind.CLAIM, TestObjects.like(claim).deleted(2).build());
    passMinutes(10);
    assertThat(cluster.read(Kind.VOLUME, ObjectKey.cluster("pvc-u")).toOptional()).isPresent();
    assertThat(isNoted()).isFalse();
  }

  @Test
  void claim_assignedToAnotherProvisioner_losesItsNoteIfNothingIsInDoubt()
      throws InterruptedException {
    startController(State.ENDED, State.ENDED);
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("others", false, "s2"));
    Claim claim = cluster.get(Kind.CLAIM, ProvisionedClaims.CLAIM);
    cluster.put(
        Kind.CLAIM,
        TestObjects.like(claim)
            .annotation("volume.kubernetes.io/storage-provisioner", "others")
            .build());
    passMinutes(10);
    assertThat(isNoted()).isFalse();
  }

  /** Annotations of a claim that names one provisioner while others may have begun its volume. */
  private static Map<String, String> annotations(String provisioners, String provisionerName) {
    return Map.of(
        "volume.kubernetes.io/storage-provisioner",
        provisionerName,
        "mooring.dev/volume-being-made-by",
        provisioners);
  }

  /** Nobody may serve the provisioner that the claim names now. */
  @Test
  void deletedClaim_startedByUsAndRenamed_isFinished() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    cluster.put(Kind.CLAIM, ProvisionedClaims.deleted(true, annotations("ours", "others")));
    steps.start();
    passMinutes(1);
    assertThat(cluster.read(Kind.VOLUME, ObjectKey.cluster("pvc-u")).toOptional()).isPresent();
    assertThat(isNoted()).isFalse();
  }

  @Test
  void deletedClaim_startedByUsAndClassOfAnother_staysWithAnEvent() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("others", false));
    cluster.put(Kind.CLAIM, ProvisionedClaims.deleted(true, annotations("ours", "others")));
    steps.start();
    passMinutes(1);
    assertThat(isNoted()).isTrue();
    assertThat(cluster.events())
        .anySatisfy(event ->
            assertThat(event.note())
                .contains("names provisioner \"others\" now")
                .contains("remove its finalizer " + VolumeService.BEING_MADE));
  }

  @Test
  void deletedClaim_startedByAnother_causesNoCall() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    cluster.put(Kind.CLAIM, ProvisionedClaims.deleted(true, annotations("others", "ours")));
    steps.start();
    passMinutes(10);
    assertThat(countStorageCalls()).isZero();
    assertThat(isNoted()).as("the other provisioner removes it").isTrue();
  }

  @Test
  void claim_startedByAnother_isProvisionedAndKeepsItsNote() throws InterruptedException {
    cluster.put(Kind.STORAGE_CLASS, ProvisionedClaims.storageClass("ours", false));
    failWithUnknownOutcome(1);
    cluster.put(
        Kind.CLAIM,
        TestObjects.like(ProvisionedClaims.claimWithNote(annotations("others", "ours"))).build());
    steps.start();
    steps.settle();
    assertThat(startedBy()).isEqualTo("others,ours");
    passMinutes(1);
    cluster.put(
        Kind.CLAIM,
        TestObjects.like(cluster.get(Kind.CLAIM, ProvisionedClaims.CLAIM))
            .volumeName("pvc-u")
            .phase(ClaimPhase.BOUND)
            .build());
    passMinutes(1);
    assertThat(startedBy()).isEqualTo("others");
    assertThat(isNoted()).isTrue();
  }

  private String startedBy() {
    return cluster
        .get(Kind.CLAIM, ProvisionedClaims.CLAIM)
        .meta()
        .annotation("mooring.dev/volume-being-made-by");
  }
}
