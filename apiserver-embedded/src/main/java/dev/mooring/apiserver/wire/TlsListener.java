package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.HttpHandler;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** A listener with TLS, HTTP/2 and HTTP/1.1. */
final class TlsListener implements HttpListener {
  private static final System.Logger LOG = System.getLogger(TlsListener.class.getName());
  // kube-apiserver's default
  private static final int MAX_STREAMS = 100;
  private static final int WINDOW_BYTES = 256 * 1024;
  private static final long CLOSE_SECONDS = 1;

  private final AtomicReference<@Nullable RequestService> service = new AtomicReference<>();
  private final JdkSslContext tls;

  private final EventLoopGroup eventLoops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());

  private final Channel serverChannel;
  private final ChannelGroup connections =
      new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

  TlsListener(InetSocketAddress address, SSLContext tls) throws IOException {
    this.tls = createNegotiatingContext(tls);
    this.serverChannel = bind(address);
  }

  private static JdkSslContext createNegotiatingContext(SSLContext tls) {
    return new JdkSslContext(
        tls,
        false,
        // Netty's own list lacks ChaCha20, which JVM clients without the C2 compiler prefer
        List.of(tls.getDefaultSSLParameters().getCipherSuites()),
        IdentityCipherSuiteFilter.INSTANCE,
        new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2,
            ApplicationProtocolNames.HTTP_1_1),
        ClientAuth.OPTIONAL,
        null,
        false);
  }

  private Channel bind(InetSocketAddress address) throws IOException {
    ChannelFuture binding =
        new ServerBootstrap()
            .group(eventLoops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.AUTO_READ, false) // accepts no connection before start()
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(makeInitializer(this::setUpConnection))
            .bind(address)
            .awaitUninterruptibly();
    Throwable failure = binding.cause();
    if (failure == null) {
      return binding.channel();
    }
    eventLoops.shutdownGracefully();
    throw failure instanceof IOException io ? io : new IOException(failure);
  }

  private static ChannelInitializer<Channel> makeInitializer(Consumer<Channel> setup) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        setup.accept(channel);
      }
    };
  }

  private void setUpConnection(Channel connection) {
    connections.add(connection);
    SslHandler tlsHandler = tls.newHandler(connection.alloc());
    tlsHandler.engine().setSSLParameters(useClientCipherOrder(tlsHandler));
    connection.pipeline().addLast(tlsHandler, new ProtocolPipeline());
  }

  private static SSLParameters useClientCipherOrder(SslHandler tlsHandler) {
    SSLParameters parameters = tlsHandler.engine().getSSLParameters();
    parameters.setUseCipherSuitesOrder(false);
    return parameters;
  }

  private final class ProtocolPipeline extends ApplicationProtocolNegotiationHandler {
    ProtocolPipeline() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      ChannelPipeline pipeline = context.pipeline();
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        pipeline.addLast(
            Http2FrameCodecBuilder.forServer()
                .initialSettings(
                    Http2Settings.defaultSettings()
                        .maxConcurrentStreams(MAX_STREAMS)
                        .maxHeaderListSize(MAX_HEAD_BYTES)
                        .maxFrameSize(WINDOW_BYTES)
                        .initialWindowSize(WINDOW_BYTES))
                .decoderEnforceMaxRstFramesPerWindow(
                    0, 0) // no limit: clients may cancel many watches
                .encoderEnforceMaxRstFramesPerWindow(0, 0)
                .build(),
            new Http2MultiplexHandler(
                makeInitializer(stream ->
                    stream.pipeline().addLast(new Http2Request(TlsListener.this, stream)))),
            new BrokenConnections());
      } else {
        serveHttp1(context.channel());
      }
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext context, Throwable failure) {
      LOG.log(
          Level.DEBUG,
          () -> "TLS handshake failed with " + context.channel().remoteAddress(),
          failure);
      context.close();
    }
  }

  private static final class BrokenConnections extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable error) {
      LOG.log(Level.DEBUG, () -> "connection failed: " + context.channel().remoteAddress(), error);
      context.close();
    }
  }

  private RequestService requireService() {
    return Objects.requireNonNull(service.get(), "the listener accepts connections before start()");
  }

  private static WireExchange.ConnectionEnds findEnds(Channel connection) {
    return new WireExchange.ConnectionEnds(
        connection.pipeline().get(SslHandler.class).engine().getSession(),
        (InetSocketAddress) connection.remoteAddress(),
        (InetSocketAddress) connection.localAddress());
  }

  private void serveHttp1(Channel connection) {
    TlsConnection bytes = new TlsConnection(connection, findEnds(connection));
    connection.pipeline().addLast(bytes);
    connection.config().setAutoRead(false); // reads when the server waits for bytes
    RequestService requestService = requireService();
    try {
      requestService.threads().execute(new Http1Connection(bytes, requestService));
    } catch (RejectedExecutionException stopping) {
      connection.close();
    }
  }

  void serve(Channel connection, WireExchange.WireRequest request, AnswerWriter writer) {
    WireExchange exchange = new WireExchange(request, findEnds(connection), writer);
    RequestService requestService = requireService();
    try {
      requestService.threads().execute(() -> requestService.serve(exchange));
    } catch (RejectedExecutionException stopping) {
      exchange.close();
    }
  }

  @Override
  public int port() {
    return ((InetSocketAddress) serverChannel.localAddress()).getPort();
  }

  @Override
  public void start(HttpHandler handler, Executor threads) {
    service.set(new RequestService(handler, threads));
    serverChannel.config().setAutoRead(true);
  }

  @Override
  public void disconnect() {
    serverChannel.close().syncUninterruptibly();
    // the end of an event loop does not close a connection whose request is in progress
    connections.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    if (eventLoops.isShuttingDown()) {
      return;
    }
    disconnect();
    eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
