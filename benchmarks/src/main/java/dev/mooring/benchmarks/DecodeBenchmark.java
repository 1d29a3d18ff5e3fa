package dev.mooring.benchmarks;

import com.google.gson.Gson;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1PodList;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Question: how many pods a second are decoded from the bytes of a list, compared with client-java?
 * How many events of volumes are decoded from a watch? Limits: 400,000 pods/s from protobuf, 50,000
 * pods/s from JSON.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class DecodeBenchmark {
  private static final int PODS = 1000;
  private static final int EVENTS = 1000;

  private final byte[] json = SampleObjects.pods(PODS);
  private final byte[] protobuf = ProtoSamples.pods(PODS);
  private final byte[] events = WatchSamples.volumeEvents(EVENTS);

  @Benchmark
  @OperationsPerInvocation(PODS)
  public void json(Blackhole into) throws IOException {
    BodyDecoder.decodeList(
        Kind.POD, new ByteArrayInputStream(json), false, (Pod pod) -> into.consume(pod));
  }

  @Benchmark
  @OperationsPerInvocation(PODS)
  public void protobuf(Blackhole into) throws IOException {
    BodyDecoder.decodeList(
        Kind.POD, new ByteArrayInputStream(protobuf), true, (Pod pod) -> into.consume(pod));
  }

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public void volumeEvents(Blackhole into) throws IOException {
    BodyDecoder.decodeWatch(
        Kind.VOLUME, new ByteArrayInputStream(events), true, new ConsumedEvents(into));
  }

  private record ConsumedEvents(Blackhole into) implements BodyDecoder.Events<Volume> {
    @Override
    public void changed(String type, Volume volume) {
      into.consume(volume);
    }

    @Override
    public void bookmark(long version, boolean endsInitialEvents) {
      into.consume(version);
    }

    @Override
    public void error(BodyDecoder.Status status) {
      throw new IllegalStateException("the watch has an error: " + status);
    }
  }

  @Benchmark
  @OperationsPerInvocation(PODS)
  public V1PodList jsonPeer() {
    Gson gson = JSON.getGson();
    return gson.fromJson(
        new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8),
        V1PodList.class);
  }
}
