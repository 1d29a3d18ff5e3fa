package dev.mooring.plugin.csi;

import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Connects over unix sockets. All connections share one event loop. */
public final class GrpcConnector implements CsiConnector {
  private static final String SCHEME = "unix://";
  private static final long NEVER_IDLE_DAYS = 3650;

  // gRPC sets a TCP option on every socket, and Netty warns at every connection that this one has
  // none
  private static final Logger BOOTSTRAP = Logger.getLogger("io.netty.bootstrap.Bootstrap");

  static {
    BOOTSTRAP.setLevel(Level.SEVERE);
  }

  private @Nullable EventLoopGroup loop;

  /** For ServiceLoader. */
  public GrpcConnector() {}

  private static ThreadFactory daemons() {
    return Thread.ofPlatform().daemon().name("csi-transport-", 0).factory();
  }

  /**
   * Made when it is first needed: being loaded costs nothing where there is no driver. A driver's
   * answers are small; one thread carries thousands of them a second.
   */
  private synchronized EventLoopGroup loop() {
    if (loop == null) {
      loop = new MultiThreadIoEventLoopGroup(1, daemons(), NioIoHandler.newFactory());
    }
    return loop;
  }

  @Override
  public CsiConnection connect(String endpoint, Duration timeout) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(path(endpoint)))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(loop())
            .overrideAuthority("localhost")
            .usePlaintext()
            .executor(Runnable::run) // answers only wake the caller
            .maxInboundMessageSize(64 << 20) // a list of all volumes may be large
            .disableRetry()
            .idleTimeout(NEVER_IDLE_DAYS, TimeUnit.DAYS) // a pause of the host is no loss
            .build();
    return new GrpcConnection(channel, timeout, loop());
  }

  /** The socket's path. */
  static Path path(String endpoint) {
    String path = endpoint.startsWith(SCHEME) ? endpoint.substring(SCHEME.length()) : endpoint;
    try {
      if (path.startsWith("/")) {
        return Path.of(path);
      }
    } catch (InvalidPathException e) {
      // the same answer
    }
    throw new IllegalArgumentException(
        "CSI endpoint \""
            + endpoint
            + "\" is not a unix socket: name one like unix:///run/csi.sock");
  }
}
