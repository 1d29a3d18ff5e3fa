package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.informer.SharedInformers;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.workqueue.ReconcileContext;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A patch removes the last finalizer; the server answers with the version of the cached object. */
class LastFinalizerTest {
  private static final ObjectKey KEY = ObjectKey.of("a", "x");

  @TempDir private Path folder;
  private final SharedInformers informers = new SharedInformers();
  private int withdrawnPrompts;

  private final ReconcileContext.ReconcileListener listener =
      new ReconcileContext.ReconcileListener() {
        @Override
        public void requestAnswered(boolean write, String target, int content) {}

        @Override
        public void ownWriteObserved() {
          withdrawnPrompts++;
        }
      };

  private <T extends Resource> void removeFinalizer(Kind<T> kind) throws Exception {
    SimTime time = new SimTime(true);
    Answer answer =
        Answer.json(
            200,
            """
            {"metadata": {"namespace": "a", "name": "x", "uid": "u", "resourceVersion": "7", "deletionTimestamp": "2026-01-01T00:00:00Z"}}
            """);
    try (RecordingServer server = new RecordingServer(request -> answer)) {
      KubeCluster cluster =
          new KubeCluster(server.connect(folder), time, KubeCluster.Limits.none(time), informers);
      ReconcileContext.run(listener, () -> cluster.patch(kind, KEY, Document.empty()));
    }
  }

  @Test
  void claim_lastFinalizerRemoved_leavesCacheBeforeWatchEvent() throws Exception {
    informers.of(Kind.CLAIM).applyOwnWrite(TestObjects.claim(KEY).uid("u").version(7).build());
    removeFinalizer(Kind.CLAIM);
    assertThat(informers.of(Kind.CLAIM).get(KEY)).isEmpty();
    assertThat(withdrawnPrompts).as("no watch event came before the answer").isZero();
  }

  @Test
  void successor_lateAnswer_staysInCache() throws Exception {
    informers.of(Kind.CLAIM).applyOwnWrite(TestObjects.claim(KEY).uid("v").version(9).build());
    removeFinalizer(Kind.CLAIM);
    assertThat(informers.of(Kind.CLAIM).get(KEY)).isPresent();
  }

  @Test
  void pod_lastFinalizerRemoved_staysInCache() throws Exception {
    informers.of(Kind.POD).applyOwnWrite(TestObjects.pod(KEY).uid("u").version(6).build());
    removeFinalizer(Kind.POD);
    assertThat(informers.of(Kind.POD).get(KEY)).isPresent();
  }
}
