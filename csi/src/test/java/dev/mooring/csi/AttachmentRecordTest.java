package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.execute.DriverSession;
import dev.mooring.live.RawObject;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.StatusCode;
import dev.mooring.testkit.AttachmentBuilder;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The node id and the volume handle recorded at attach time identify an attachment. */
class AttachmentRecordTest {
  private static final String DRIVER = "d.example.com";
  private static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";
  private static final String HANDLE = "mooring.dev/volume-handle";
  private static final ObjectKey ATTACHMENT = ObjectKey.cluster("a");

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final FakeDriver driver = new FakeDriver();
  private final List<String> calls = new ArrayList<>();
  private boolean slow; // the driver publishes, and its answer is lost
  private final DriverBridge bridge =
      TestBridge.of(
          DRIVER,
          driver,
          CsiConfig.DEFAULTS,
          cluster.informers(),
          TestPorts.of(server, cluster, time));
  private final DriverSession session = bridge.session();
  private final StepwiseController steps = new StepwiseController(bridge.attacherSpec(), time);

  @BeforeEach
  void startDriver() throws InterruptedException {
    driver.identity =
        new DriverReply.Ok<>(
            new DriverIdentity(DRIVER, "1", EnumSet.allOf(DriverCapability.class)));
    driver.listedVolumes = new DriverReply.Ok<>(Map.of());
    driver.publish =
        request -> {
          calls.add("publish " + request.volumeId() + " " + request.nodeId());
          list(request.volumeId(), request.nodeId());
          return slow
              ? new DriverReply.Refused<>(StatusCode.DEADLINE_EXCEEDED, "slow")
              : new DriverReply.Ok<>(Map.of());
        };
    driver.unpublish =
        (handle, nodeId) -> {
          calls.add("unpublish " + handle + " " + nodeId);
          list(handle);
          return new DriverReply.Ok<>(new Done());
        };
    registerNode("old");
    createVolume("1", "h1");
    CountDownLatch readyLatch = new CountDownLatch(1);
    session.onReady(readyLatch::countDown);
    session.start();
    readyLatch.await();
  }

  @AfterEach
  void stopDriver() throws InterruptedException {
    session.stop();
  }

  private void list(String handle, String... nodeIds) {
    driver.listedVolumes =
        new DriverReply.Ok<>(Map.of(handle, new ListedVolume(1, List.of(nodeIds))));
  }

  private void registerNode(String nodeId) {
    cluster.put(Kind.CSI_NODE, TestObjects.csiNode("n").driver(DRIVER, nodeId).build());
  }

  private void createVolume(String uid, String handle) {
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume("v").uid(uid).source(VolumeSource.csi(DRIVER, handle)).build());
  }

  private static AttachmentBuilder attachment(ObjectKey key) {
    return TestObjects.attachment(key).attacher(DRIVER).volumeName("v").nodeName("n");
  }

  private Attachment attachment() {
    return cluster.get(Kind.ATTACHMENT, ATTACHMENT);
  }

  private void attach() throws InterruptedException {
    cluster.put(Kind.ATTACHMENT, attachment(ATTACHMENT).build());
    steps.start();
    steps.settle();
  }

  private void delete(ObjectKey key) throws InterruptedException {
    cluster.put(
        Kind.ATTACHMENT, TestObjects.like(cluster.get(Kind.ATTACHMENT, key)).deleted(2).build());
    steps.settle();
  }

  private void passMinutes(int minutes) throws InterruptedException {
    for (int minute = 0; minute < minutes; minute++) {
      time.advance(Duration.ofMinutes(1));
      steps.settle();
    }
  }

  @Test
  void attach_newAttachment_recordsNodeIdAndHandleBeforeCall() throws InterruptedException {
    driver.publish =
        request -> {
          calls.add(
              attachment().meta().annotation(NODE_ID)
                  + " "
                  + attachment().meta().annotation(HANDLE));
          return new DriverReply.Ok<>(Map.of());
        };
    attach();
    assertThat(calls).isNotEmpty().containsOnly("old h1");
  }

  @Test
  void detach_afterNodeIdChanged_usesRecordedNodeId() throws InterruptedException {
    attach();
    registerNode("new");
    delete(ATTACHMENT);
    assertThat(calls).containsExactly("publish h1 old", "unpublish h1 old");
  }

  @Test
  void detach_afterNodeIdChangedAndRefused_namesBothIds() throws InterruptedException {
    attach();
    registerNode("new");
    driver.unpublish =
        (handle, nodeId) -> new DriverReply.Refused<>(StatusCode.NOT_FOUND, "no " + nodeId);
    delete(ATTACHMENT);
    assertThat(attachment().detachError())
        .contains("no old")
        .contains("had node id \"old\"")
        .contains("has \"new\" now")
        .contains(NODE_ID);
    assertThat(attachment().meta().finalizers()).isNotEmpty();
  }

  @Test
  void detach_afterVolumeRecreatedWithAnotherHandle_usesRecordedHandle()
      throws InterruptedException {
    attach();
    createVolume("2", "h2");
    delete(ATTACHMENT);
    assertThat(calls).containsExactly("publish h1 old", "unpublish h1 old");
  }

  /** The access modes can be changed at any time, and the call does not contain them. */
  @Test
  void detach_afterAccessModesBecameUnsupported_unpublishes() throws InterruptedException {
    attach();
    cluster.put(
        Kind.VOLUME,
        TestObjects.like(cluster.get(Kind.VOLUME, ObjectKey.cluster("v")))
            .accessModes("ReadWriteOnce", "ReadOnlyMany")
            .build());
    delete(ATTACHMENT);
    assertThat(calls).containsExactly("publish h1 old", "unpublish h1 old");
  }

  /** The attachment of external-attacher has no recorded handle, but its name depends on it. */
  @Test
  void detach_ofStandardNameForAnotherHandle_callsNoDriver() throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(Attachment.nameOf(DRIVER, "h1", "n"));
    createVolume("2", "h2");
    cluster.put(
        Kind.ATTACHMENT,
        attachment(key)
            .attached(true)
            .finalizer("external-attacher/d-example-com")
            .annotation(NODE_ID, "old")
            .build());
    steps.start();
    delete(key);
    assertThat(calls).isEmpty();
    assertThat(cluster.get(Kind.ATTACHMENT, key).detachError()).contains("\"h2\"").contains(HANDLE);
    cluster.put(
        Kind.ATTACHMENT,
        TestObjects.like(cluster.get(Kind.ATTACHMENT, key)).annotation(HANDLE, "h1").build());
    passMinutes(6);
    assertThat(calls).containsExactly("unpublish h1 old");
  }

  @Test
  void detach_ofStandardNameWithoutRecord_usesHandleOfVolume() throws InterruptedException {
    ObjectKey key = ObjectKey.cluster(Attachment.nameOf(DRIVER, "h1", "n"));
    cluster.put(
        Kind.ATTACHMENT,
        attachment(key).attached(true).finalizer("external-attacher/d-example-com").build());
    steps.start();
    delete(key);
    assertThat(calls).containsExactly("unpublish h1 old");
  }

  @Test
  void attach_afterNodeIdChangedInDoubt_firstDetachesOldInstance() throws InterruptedException {
    slow = true;
    attach();
    assertThat(calls).isNotEmpty().containsOnly("publish h1 old");
    calls.clear();
    registerNode("new");
    slow = false;
    passMinutes(1);
    assertThat(calls).containsExactly("unpublish h1 old", "publish h1 new");
    assertThat(attachment().attached()).isTrue();
    assertThat(attachment().meta().annotation(NODE_ID)).isEqualTo("new");
  }

  @Test
  void attach_whileOldInstanceMayHaveTheVolume_publishesNothing() throws InterruptedException {
    slow = true;
    attach();
    calls.clear();
    driver.unpublish = (handle, nodeId) -> new DriverReply.Refused<>(StatusCode.INTERNAL, "no");
    registerNode("new");
    passMinutes(30);
    assertThat(calls).isEmpty();
    assertThat(attachment().meta().annotation(NODE_ID)).isEqualTo("old");
    assertThat(attachment().attachError()).contains("\"old\"");
  }

  /** The driver's list has gaps, and its new version uses other node ids. */
  @Test
  void forcedAttach_ofAttachedVolume_neitherDetachesNorMovesIt() throws InterruptedException {
    attach();
    registerNode("new");
    calls.clear();
    driver.listedVolumes = new DriverReply.Ok<>(Map.of());
    passMinutes(2);
    assertThat(calls).isNotEmpty().containsOnly("publish h1 old");
  }

  /** The node would pass on what the driver no longer says. */
  @Test
  void forcedAttach_otherMetadata_replacesIt() throws InterruptedException {
    driver.publish = request -> new DriverReply.Ok<>(Map.of("device", "x", "lun", "1"));
    attach();
    driver.publish = request -> new DriverReply.Ok<>(Map.of("device", "y"));
    passMinutes(2);
    assertThat(cluster.readWhole(Kind.ATTACHMENT, ATTACHMENT).toOptional())
        .hasValueSatisfying(whole ->
            assertThat(new RawObject(whole).at("status", "attachmentMetadata").texts())
                .isEqualTo(Map.of("device", "y")));
  }

  @Test
  void verify_ofRecordedNodeId_findsNoDifference() throws InterruptedException {
    attach();
    registerNode("new");
    passMinutes(5);
    assertThat(calls).containsExactly("publish h1 old");
  }

  @Test
  void forcedAttach_afterVolumeRecreated_publishesNothing() throws InterruptedException {
    attach();
    createVolume("2", "h2");
    driver.listedVolumes = new DriverReply.Ok<>(Map.of());
    passMinutes(5);
    assertThat(calls).containsExactly("publish h1 old");
    assertThat(attachment().attached()).isTrue();
  }

  /** Two attachments of one volume on one node: the last one unpublishes it. */
  @Test
  void detach_whileAnotherAttachmentHasTheVolumeThere_leavesItPublished()
      throws InterruptedException {
    ObjectKey otherAttachment = ObjectKey.cluster("b");
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume("twin").uid("9").source(VolumeSource.csi(DRIVER, "h1")).build());
    cluster.put(Kind.ATTACHMENT, attachment(otherAttachment).volumeName("twin").build());
    attach();
    delete(ATTACHMENT);
    assertThat(calls).containsOnly("publish h1 old");
    assertThat(
            cluster.read(Kind.ATTACHMENT, ATTACHMENT).toOptional().stream()
                .flatMap(a -> a.meta().finalizers().stream()))
        .isEmpty();
    delete(otherAttachment);
    assertThat(calls).last().isEqualTo("unpublish h1 old");
  }

  /** The watch missed that the attachment was deleted and created again for another volume. */
  @Test
  void release_attachmentReplaced_removesFinalizerOfDeletedVolume() throws InterruptedException {
    ObjectKey volume = ObjectKey.cluster("v");
    attach();
    assertThat(cluster.get(Kind.VOLUME, volume).finalizers()).isNotEmpty();
    cluster.put(
        Kind.VOLUME,
        TestObjects.volume("twin").uid("9").source(VolumeSource.csi(DRIVER, "h1")).build());
    cluster.put(Kind.VOLUME, TestObjects.like(cluster.get(Kind.VOLUME, volume)).deleted(2).build());
    steps.settle();
    cluster.put(Kind.ATTACHMENT, attachment(ATTACHMENT).uid("again").volumeName("twin").build());
    steps.settle();
    assertThat(
            cluster.read(Kind.VOLUME, volume).toOptional().stream()
                .flatMap(left -> left.finalizers().stream()))
        .isEmpty();
  }
}
