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
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Identity.Service;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * The driver: a gRPC server on a unix socket. Closing it takes the socket away and keeps the
 * volumes.
 */
public final class ReferenceDriver implements AutoCloseable {
  /**
   * How it behaves.
   *
   * @param name its name
   * @param abilities what it says that it can do
   * @param ready whether it says that it is ready
   * @param faults what goes wrong with a call of that method
   */
  public record Settings(
      String name, Set<Ability> abilities, boolean ready, Function<String, Fault> faults) {
    public static Settings of(String name, Ability... abilities) {
      return new Settings(name, Set.of(abilities), true, method -> Fault.NONE);
    }

    public Settings with(Function<String, Fault> now) {
      return new Settings(name, abilities, ready, now);
    }
  }

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Path socket;
  private final Server server;
  private final ControllerService controller;

  public ReferenceDriver(Path socket, Shelf shelf, Settings settings) throws IOException {
    this.socket = socket;
    this.controller = new ControllerService(shelf, settings);
    Files.deleteIfExists(socket);
    this.server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .addService(new IdentityService(settings))
            .addService(new NodeService(settings))
            .addService(controller)
            .build()
            .start();
  }

  /** Every call of the controller service so far, as {@code method id}. */
  public List<String> calls() {
    return controller.calls();
  }

  @Override
  public void close() throws IOException {
    controller.die();
    server.shutdownNow();
    loop.shutdownGracefully();
    Files.deleteIfExists(socket);
  }

  static List<Integer> numbers(Settings settings, Service service) {
    return settings.abilities().stream()
        .filter(a -> a.service() == service)
        .map(Ability::number)
        .toList();
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
      answer(out, ProbeResponse.newBuilder().setReady(BoolValue.of(settings.ready())).build());
    }

    @Override
    public void getPluginInfo(
        GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> out) {
      answer(
          out,
          GetPluginInfoResponse.newBuilder()
              .setName(settings.name())
              .setVendorVersion("reference")
              .build());
    }

    @Override
    public void getPluginCapabilities(
        GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> out) {
      GetPluginCapabilitiesResponse.Builder all = GetPluginCapabilitiesResponse.newBuilder();
      numbers(settings, Service.PLUGIN)
          .forEach(n ->
              all.addCapabilities(
                  PluginCapability.newBuilder()
                      .setService(PluginCapability.Service.newBuilder().setType(n))));
      answer(out, all.build());
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
      NodeGetCapabilitiesResponse.Builder all = NodeGetCapabilitiesResponse.newBuilder();
      numbers(settings, Service.NODE)
          .forEach(n ->
              all.addCapabilities(
                  NodeServiceCapability.newBuilder()
                      .setRpc(NodeServiceCapability.RPC.newBuilder().setType(n))));
      answer(out, all.build());
    }
  }
}
