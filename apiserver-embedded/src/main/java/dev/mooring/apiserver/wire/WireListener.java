package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.HttpHandler;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.flow.FlowControlHandler;
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
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Listens for connections. With TLS it speaks HTTP/2, or HTTP/1.1 if the client does not offer
 * HTTP/2, like kube-apiserver. Without TLS it speaks HTTP/1.1. Client certificates are optional.
 * Thread-safe.
 */
public final class WireListener implements AutoCloseable {
  /** The server does not keep a longer body; a handler that reads it gets an error. */
  static final int MAX_BODY = 4 * 1024 * 1024;

  private static final System.Logger LOG = System.getLogger(WireListener.class.getName());
  // kube-apiserver's default
  private static final int MAX_STREAMS = 100;
  private static final int WINDOW_BYTES = 256 * 1024;
  private static final int MAX_HEAD_BYTES = 1024 * 1024;

  private static final int MAX_CHUNK_BYTES = 8192;
  private static final int BACKLOG = 1024;
  private static final long CLOSE_SECONDS = 1;

  private record RequestService(HttpHandler handler, Executor threads) {}

  private final AtomicReference<@Nullable RequestService> service = new AtomicReference<>();
  private final @Nullable JdkSslContext tls;

  private final EventLoopGroup eventLoops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());

  private final Channel serverChannel;
  private final ChannelGroup connections =
      new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

  /**
   * Binds the address.
   *
   * @param tls the TLS context; null for a listener without TLS
   * @throws IOException if the address cannot be bound
   */
  public WireListener(InetSocketAddress address, @Nullable SSLContext tls) throws IOException {
    this.tls = tls == null ? null : createNegotiatingContext(tls);
    this.serverChannel = bind(address);
  }

  private static JdkSslContext createNegotiatingContext(SSLContext tls) {
    return new JdkSslContext(
        tls,
        false,
        null,
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
            .childHandler(RequestTargets.makeInitializer(this::setUpConnection))
            .bind(address)
            .awaitUninterruptibly();
    Throwable failure = binding.cause();
    if (failure == null) {
      return binding.channel();
    }
    eventLoops.shutdownGracefully();
    throw failure instanceof IOException io ? io : new IOException(failure);
  }

  private void setUpConnection(Channel connection) {
    connections.add(connection);
    JdkSslContext tlsContext = tls;
    if (tlsContext == null) {
      addHttp1Handlers(connection.pipeline());
      return;
    }
    SslHandler tlsHandler = tlsContext.newHandler(connection.alloc());
    tlsHandler.engine().setSSLParameters(useClientCipherOrder(tlsHandler));
    connection.pipeline().addLast(tlsHandler, new ProtocolPipeline());
  }

  private void addHttp1Handlers(ChannelPipeline pipeline) {
    pipeline.addLast(
        new HttpServerCodec(MAX_HEAD_BYTES, MAX_HEAD_BYTES, MAX_CHUNK_BYTES),
        new FlowControlHandler(), // passes on one request after the other
        new HttpObjectAggregator(MAX_BODY),
        new Http1Requests(this, pipeline.channel()));
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
                RequestTargets.makeInitializer(stream ->
                    stream.pipeline().addLast(new Http2Request(WireListener.this, stream)))),
            new BrokenConnections());
      } else {
        addHttp1Handlers(pipeline);
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
      LOG.log(Level.DEBUG, () -> "broken: " + context.channel().remoteAddress(), error);
      context.close();
    }
  }

  void serve(Channel connection, WireExchange.WireRequest request, AnswerWriter writer) {
    SslHandler tlsHandler = connection.pipeline().get(SslHandler.class);
    WireExchange exchange =
        new WireExchange(
            request,
            new WireExchange.ConnectionEnds(
                tlsHandler == null ? null : tlsHandler.engine().getSession(),
                (InetSocketAddress) connection.remoteAddress(),
                (InetSocketAddress) connection.localAddress()),
            writer);
    RequestService requestService =
        Objects.requireNonNull(service.get(), "the listener accepts connections before start()");
    try {
      requestService.threads().execute(() -> serve(exchange, requestService.handler()));
    } catch (RejectedExecutionException stopping) {
      exchange.close();
    }
  }

  private static void serve(WireExchange exchange, HttpHandler handler) {
    try {
      handler.handle(exchange);
    } catch (IOException closed) {
      LOG.log(Level.DEBUG, () -> exchange.getRequestURI() + " was not answered", closed);
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, () -> exchange.getRequestURI() + " failed with a bug", bug);
    } finally {
      exchange.close();
    }
  }

  public int port() {
    return ((InetSocketAddress) serverChannel.localAddress()).getPort();
  }

  /**
   * Starts to serve. Call it once.
   *
   * @param handler serves every request and closes the exchange
   * @param threads run the handler
   */
  public void start(HttpHandler handler, Executor threads) {
    service.set(new RequestService(handler, threads));
    serverChannel.config().setAutoRead(true);
  }

  /**
   * Releases the port and closes every connection: then requests in progress can send nothing more.
   */
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
