package dev.mooring.manager.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RecordingWriterTest {
  private static final ObjectKey KEY = ObjectKey.cluster("v");

  private static Volume volume(long version) {
    return TestObjects.volume(TestObjects.metaOf(KEY).uid("u").version(version).meta()).build();
  }

  @Test
  @Timeout(60)
  void write_duringDeliveryOfAChange_isRecordedAfterTheChange() throws Exception {
    SharedInformers informers = new SharedInformers();
    Informer<Volume> volumes = informers.of(Kind.VOLUME);
    List<String> records = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch cached = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    volumes.onChange(change -> {
      cached.countDown();
      awaitUninterrupted(released);
      records.add("change");
    });
    RecordingWriter writer = new RecordingWriter(informers, write -> records.add("write"));
    Thread delivery = Thread.ofPlatform().start(() -> volumes.applyOwnWrite(volume(2)));
    cached.await();

    Thread controller =
        Thread.ofPlatform()
            .start(() -> writer.patch(Kind.VOLUME, KEY, Document.patchOf(volume(1).meta())));
    TestWait.until(
        "the write ends or waits",
        () -> Set.of(State.BLOCKED, State.TERMINATED).contains(controller.getState()));
    released.countDown();
    controller.join();
    delivery.join();

    assertThat(records).containsExactly("change", "write");
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
