package dev.mooring.plugin.csi;

import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnector;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Connects over unix sockets, and over TCP with TLS. All connections share one event loop. */
public final class GrpcConnector implements CsiConnector {
  private static final long NEVER_IDLE_DAYS = 3650;
  private static final String RECORDER_EVENTS = "io.netty.jfr.enabled";

  // while a call waits; more frequent pings make servers with default settings close the connection
  private static final long KEEP_ALIVE_SECONDS = 60;

  // grpc-go's limit. The header contains the message of an error. Beyond the limit its code is lost
  // too, and the connection with all its calls.
  private static final int MAX_HEADER_BYTES = 16 << 20;

  // Netty warns at each connection that unix sockets lack the TCP options that gRPC sets. It also
  // warns that a machine without a network card has no MAC address.
  private static final List<Logger> NOISY_LOGGERS =
      List.of(
          Logger.getLogger("io.netty.bootstrap.Bootstrap"),
          Logger.getLogger("io.netty.util.internal.MacAddressUtil"));

  /**
   * A pool keeps megabytes of direct memory. Messages here have a few hundred bytes, and at most a
   * thousand are sent per second.
   */
  private static final ByteBufAllocator BUFFERS = createAllocator();

  static {
    NOISY_LOGGERS.forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  private final TransportThread transport = new TransportThread();

  public GrpcConnector() {}

  // Netty registers a listener with the JDK's recorder for ever, which keeps the classes of this
  // plugin in memory after it is unloaded. Netty reads the property with its first class; other
  // users of Netty in this process keep their setting.
  private static ByteBufAllocator createAllocator() {
    boolean isUnset = System.getProperty(RECORDER_EVENTS) == null;
    if (isUnset) {
      System.setProperty(RECORDER_EVENTS, "false");
    }
    try {
      return new UnpooledByteBufAllocator(false);
    } finally {
      if (isUnset) {
        System.clearProperty(RECORDER_EVENTS);
      }
    }
  }

  @Override
  public CsiConnection connect(String endpoint, Duration timeout) {
    return switch (DriverEndpoint.of(endpoint)) {
      case DriverEndpoint.Unix address -> connectSocket(address, timeout);
      case DriverEndpoint.Tcp address -> {
        if (!address.isLoopback()) {
          throw new IllegalArgumentException(
              "CSI endpoint \""
                  + endpoint
                  + "\" is not on this machine, and plain TCP is neither encrypted nor authenticated: set tls-ca, tls-cert and tls-key, or use an address like tcp://127.0.0.1:10000");
        }
        yield openConnection(
            tcpChannel(address, InsecureChannelCredentials.create(), ""),
            timeout,
            transport.acquire(),
            () -> {});
      }
    };
  }

  @Override
  public CsiConnection connect(String endpoint, Tls tls, Duration timeout) {
    return switch (DriverEndpoint.of(endpoint)) {
      case DriverEndpoint.Unix address -> connectSocket(address, timeout);
      case DriverEndpoint.Tcp address -> {
        TlsFiles files = TlsFiles.read(endpoint, tls);
        EventLoopGroup eventLoop = transport.acquire();
        yield openConnection(
            tcpChannel(address, files.createCredentials(eventLoop), tls.serverName()),
            timeout,
            eventLoop,
            files::close);
      }
    };
  }

  private CsiConnection connectSocket(DriverEndpoint.Unix address, Duration timeout) {
    NettyChannelBuilder channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(address.path()))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .overrideAuthority("localhost")
            .usePlaintext();
    return openConnection(channel, timeout, transport.acquire(), () -> {});
  }

  private static NettyChannelBuilder tcpChannel(
      DriverEndpoint.Tcp address, ChannelCredentials credentials, String serverName) {
    NettyChannelBuilder channel =
        NettyChannelBuilder.forTarget(
                "dns:///" + address.host() + ":" + address.port(), credentials)
            .channelType(NioSocketChannel.class, InetSocketAddress.class)
            .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    if (!serverName.isEmpty()) {
      channel.overrideAuthority(serverName);
    }
    return channel;
  }

  private CsiConnection openConnection(
      NettyChannelBuilder channel, Duration timeout, EventLoopGroup eventLoop, Runnable onClose) {
    return new GrpcConnection(
        channel
            .eventLoopGroup(eventLoop)
            .withOption(ChannelOption.ALLOCATOR, BUFFERS)
            .executor(Runnable::run) // answers only wake the caller
            .maxInboundMessageSize(64 << 20) // a list of all volumes may be large
            .maxInboundMetadataSize(MAX_HEADER_BYTES)
            .disableRetry()
            .idleTimeout(NEVER_IDLE_DAYS, TimeUnit.DAYS) // a suspended host must not count as idle
            .build(),
        timeout,
        eventLoop,
        () -> {
          onClose.run();
          transport.release();
        });
  }
}
