package dev.mooring.reference;

import com.google.protobuf.BoolValue;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginCapabilitiesResponse;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GetPluginInfoResponse;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetCapabilitiesResponse;
import csi.v1.NodeGrpc;
import csi.v1.NodeServiceCapability;
import csi.v1.PluginCapability;
import csi.v1.ProbeRequest;
import csi.v1.ProbeResponse;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverIdentity.Service;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * CSI driver: a gRPC server on a unix socket or a TCP port. Closing it removes the socket and keeps
 * the volumes.
 */
public final class ReferenceDriver implements AutoCloseable {
  /**
   * Behavior of the driver.
   *
   * @param abilities capabilities that it reports
   * @param ready the answer to Probe
   * @param faults returns the fault of a call by method
   */
  public record Settings(
      String name,
      String version,
      Set<DriverCapability> abilities,
      boolean ready,
      Function<String, Fault> faults) {
    public static Settings of(String name, DriverCapability... abilities) {
      return new Settings(name, "reference", Set.of(abilities), true, method -> Fault.NONE);
    }

    public Settings with(Function<String, Fault> now) {
      return new Settings(name, version, abilities, ready, now);
    }

    /** Returns another version of the driver with other capabilities. */
    public Settings replacedBy(String now, DriverCapability... able) {
      return new Settings(name, now, Set.of(able), ready, faults);
    }
  }

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final @Nullable Path socket;
  private final Server server;
  private final ControllerService controller;

  public ReferenceDriver(Path socket, VolumeStore store, Settings settings) throws IOException {
    this.socket = socket;
    this.controller = new ControllerService(store, settings);
    Files.deleteIfExists(socket);
    this.server =
        start(
            NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class),
            store,
            settings);
  }

  /**
   * Starts the driver on a TCP port of this machine.
   *
   * @param port the port; 0 for any
   * @param credentials mutual authentication of the driver and its callers
   */
  public ReferenceDriver(
      int port, ServerCredentials credentials, VolumeStore store, Settings settings)
      throws IOException {
    this.socket = null;
    this.controller = new ControllerService(store, settings);
    this.server =
        start(
            NettyServerBuilder.forAddress(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), credentials)
                .channelType(NioServerSocketChannel.class),
            store,
            settings);
  }

  private Server start(NettyServerBuilder builder, VolumeStore store, Settings settings)
      throws IOException {
    return builder
        .bossEventLoopGroup(loop)
        .workerEventLoopGroup(loop)
        .executor(Executors.newVirtualThreadPerTaskExecutor())
        .addService(new IdentityService(settings))
        .addService(new NodeService(settings))
        .addService(controller)
        .addService(new GroupService(controller, store, settings))
        .build()
        .start();
  }

  public int port() {
    return server.getPort();
  }

  /** Returns all calls of the controller service, as {@code method id}. */
  public List<String> calls() {
    return controller.calls();
  }

  @Override
  public void close() throws IOException {
    controller.stop();
    server.shutdownNow();
    loop.shutdownGracefully();
    if (socket != null) {
      Files.deleteIfExists(socket);
    }
  }

  static List<Integer> numbers(Settings settings, Service service) {
    return settings.abilities().stream()
        .filter(a -> a.service() == service)
        .map(DriverCapability::number)
        .toList();
  }

  /** Answers a call that involves no volume, unless it has a fault. */
  static <T> void answer(Settings settings, String method, StreamObserver<T> out, T message) {
    switch (settings.faults().apply(method)) {
      case Fault.Refused(Status.Code code, String reason) -> refuse(out, code, reason);
      case Fault.Lost(Status.Code code) -> refuse(out, code, "refused on demand");
      case Fault.Slow(long millis) -> {
        LockSupport.parkNanos(millis * 1_000_000);
        answer(out, message);
      }
      case Fault.None(), Fault.Partly() -> answer(out, message);
    }
  }

  private static void refuse(StreamObserver<?> out, Status.Code code, String message) {
    out.onError(code.toStatus().withDescription(message).asException());
  }

  static <T> void answer(StreamObserver<T> out, T message) {
    out.onNext(message);
    out.onCompleted();
  }

  private static final class IdentityService extends IdentityGrpc.IdentityImplBase {
    private final Settings settings;

    IdentityService(Settings settings) {
      this.settings = settings;
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> out) {
      answer(
          settings,
          "Probe",
          out,
          ProbeResponse.newBuilder().setReady(BoolValue.of(settings.ready())).build());
    }

    @Override
    public void getPluginInfo(
        GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> out) {
      answer(
          settings,
          "GetPluginInfo",
          out,
          GetPluginInfoResponse.newBuilder()
              .setName(settings.name())
              .setVendorVersion(settings.version())
              .build());
    }

    @Override
    public void getPluginCapabilities(
        GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> out) {
      GetPluginCapabilitiesResponse.Builder response = GetPluginCapabilitiesResponse.newBuilder();
      numbers(settings, Service.PLUGIN)
          .forEach(n ->
              response.addCapabilities(
                  PluginCapability.newBuilder()
                      .setService(PluginCapability.Service.newBuilder().setType(n))));
      answer(settings, "GetPluginCapabilities", out, response.build());
    }
  }

  private static final class NodeService extends NodeGrpc.NodeImplBase {
    private final Settings settings;

    NodeService(Settings settings) {
      this.settings = settings;
    }

    @Override
    public void nodeGetCapabilities(
        NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> out) {
      NodeGetCapabilitiesResponse.Builder response = NodeGetCapabilitiesResponse.newBuilder();
      numbers(settings, Service.NODE)
          .forEach(n ->
              response.addCapabilities(
                  NodeServiceCapability.newBuilder()
                      .setRpc(NodeServiceCapability.RPC.newBuilder().setType(n))));
      answer(settings, "NodeGetCapabilities", out, response.build());
    }
  }
}
