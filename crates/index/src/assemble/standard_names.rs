//! Names of methods that the standard libraries define. If the type of the receiver is unknown, a call to such a
//! method most likely refers to the standard library and not to a method in the tree.

use rustc_hash::FxHashSet;
use syntax::ModuleSystem;

/// The standard method names for each group of languages.
pub(super) struct StandardNames {
    python_built_in: FxHashSet<&'static str>,
    python: FxHashSet<&'static str>,
    script: FxHashSet<&'static str>,
    other: FxHashSet<&'static str>,
}

impl StandardNames {
    pub(super) fn new() -> Self {
        let set = |names: &'static str| names.split_ascii_whitespace().collect();
        Self {
            python_built_in: set(PYTHON_BUILT_IN),
            python: set(PYTHON),
            script: set(SCRIPT),
            other: set(OTHER),
        }
    }

    /// Returns whether a language defines a plain name.
    pub(super) fn is_built_in(&self, system: Option<ModuleSystem>, name: &str) -> bool {
        match system {
            Some(ModuleSystem::Python) => self.python_built_in.contains(name),
            Some(ModuleSystem::Rust) => RUST_BUILT_IN.contains(&name),
            Some(ModuleSystem::Go) => GO_BUILT_IN.contains(&name),
            _ => false,
        }
    }

    /// Returns whether the standard library of a language has a method with this name.
    pub(super) fn contains(&self, system: Option<ModuleSystem>, name: &str) -> bool {
        match system {
            Some(ModuleSystem::Python) => self.python.contains(name),
            Some(ModuleSystem::Script) => self.script.contains(name),
            Some(_) => self.other.contains(name),
            None => false,
        }
    }
}

/// The crates, types and functions that every Rust module can use without an import.
#[rustfmt::skip]
const RUST_BUILT_IN: &[&str] = &[
    "std", "core", "alloc", "String", "Vec", "Box", "Option", "Result", "Some", "None", "Ok", "Err", "ToString", "Iterator", "IntoIterator",
    "Default", "Clone", "Copy", "From", "Into", "TryFrom", "TryInto", "AsRef", "AsMut", "ToOwned", "Drop", "Fn", "FnMut", "FnOnce", "Send", "Sync",
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64", "drop",
];
/// The types, functions and constants that are built into Go.
#[rustfmt::skip]
const GO_BUILT_IN: &[&str] = &[
    "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16", "int32", "int64",
    "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "append", "cap", "clear", "close", "complex", "copy", "delete",
    "imag", "len", "make", "max", "min", "new", "panic", "print", "println", "real", "recover", "true", "false", "nil", "iota",
];

/// The functions, types and constants that are built into Python.
const PYTHON_BUILT_IN: &str = "\
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError \
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError \
    ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning \
    EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError \
    FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError \
    IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None \
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning \
    PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning \
    StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True \
    TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError \
    UnicodeWarning UserWarning ValueError Warning ZeroDivisionError __import__ abs aiter all anext any ascii bin \
    bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir \
    divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input \
    int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow \
    print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type \
    vars zip";

/// Methods of Python's built-in types and of frequently used standard library classes.
const PYTHON: &str = "\
    BOOLEAN_STATES DataError DatabaseError Error IntegrityError InterfaceError InternalError NONSPACECRE \
    NotSupportedError OPTCRE OPTCRE_NV OperationalError ProgrammingError SECTCRE VERSION Warning absolute accept \
    acquire acquire_lock add addClassCleanup addCleanup addFilter addHandler addTypeEqualityFunc add_argument \
    add_argument_group add_done_callback add_header add_note add_section add_subparsers adjusted anchor append \
    appendleft args arraysize as_bytes as_integer_ratio as_posix as_string as_tuple as_uri assertAlmostEqual \
    assertAlmostEquals assertCountEqual assertDictContainsSubset assertDictEqual assertEqual assertEquals \
    assertFalse assertGreater assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone assertIsNot \
    assertIsNotNone assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual assertNoLogs \
    assertNotAlmostEqual assertNotAlmostEquals assertNotEqual assertNotEquals assertNotIn assertNotIsInstance \
    assertNotRegex assertNotRegexpMatches assertRaises assertRaisesRegex assertRaisesRegexp assertRegex \
    assertRegexpMatches assertSequenceEqual assertSetEqual assertTrue assertTupleEqual assertWarns \
    assertWarnsRegex assert_ assert_any_call assert_called assert_called_once assert_called_once_with \
    assert_called_with assert_has_calls assert_not_called astimezone attach attach_mock attrib auto_open backup \
    begin betavariate bind bit_count bit_length blobopen block_size braceidpattern buffer c_contiguous \
    callHandlers call_args call_args_list call_count callback called cancel cancelled cancelling canonical \
    capitalize casefold cast center chmod choice choices clear close closed combine comment commit communicate \
    compare compare_signal compare_total compare_total_mag configure_mock conjugate connect connect_ex \
    connection contiguous convert_arg_line_to_args converters copy copy_abs copy_negate copy_sign count \
    countTestCases create_aggregate create_collation create_function create_window_function critical ctime \
    cursor cwd daemon date day days debug debuglevel decode default defaultTestResult default_port defaults \
    del_param delimiter denominator description deserialize detach difference difference_update digest \
    digest_size discard doClassCleanups doCleanups done drive dst dumps dup elements empty encode encoding end \
    endheaders endpos endswith enterClassContext enterContext enter_context error errors exception execute \
    executemany executescript exists exit exp expand expandtabs expanduser expovariate extend extendleft extract \
    extractall f_contiguous fail failIf failIfAlmostEqual failIfEqual failUnless failUnlessAlmostEqual \
    failUnlessEqual failUnlessRaises failureException family fatal fetchall fetchmany fetchone fileno filter \
    find findCaller findall finditer findtext fixture flags flush fma fold format format_help format_map \
    format_usage fp from_bytes from_float fromhex fromisocalendar fromisoformat fromkeys fromordinal \
    fromtimestamp full fullmatch gammavariate gauss get getChild getEffectiveLevel getName get_all get_boundary \
    get_charset get_charsets get_content_charset get_content_disposition get_content_maintype \
    get_content_subtype get_content_type get_coro get_default get_default_type get_filename get_identifiers \
    get_inheritable get_loop get_name get_nowait get_param get_params get_payload get_stack get_unixfrom \
    getblocking getboolean getbuffer getcode getfloat getheader getheaders getinfo getint getlimit getpeername \
    getrandbits getresponse getsockname getsockopt getstate gettimeout geturl getvalue gi_code gi_frame \
    gi_running gi_suspended gi_yieldfrom glob group groupdict groupindex groups handle hardlink_to hasHandlers \
    has_option has_section hex hexdigest home hour id ident idpattern imag in_transaction index info infolist \
    insert interrupt intersection intersection_update isDaemon isEnabledFor isSet is_absolute is_alive \
    is_block_device is_canonical is_char_device is_dir is_fifo is_file is_finite is_infinite is_integer is_mount \
    is_multipart is_nan is_normal is_qnan is_relative_to is_reserved is_set is_signed is_snan is_socket \
    is_subnormal is_symlink is_valid is_zero isalnum isalpha isascii isatty isclosed isdecimal isdigit \
    isdisjoint isidentifier islower isnumeric isocalendar isoformat isolation_level isoweekday isprintable \
    isspace issubset issuperset istitle isupper item_separator items itemsize iter iter_unpack iterdir iterdump \
    iterencode iterfind itertext join joinpath key_separator keys kill lastgroup lastindex lastrowid lchmod \
    line_buffering link_to listen ljust ln loads locked locked_lock log log10 logb logical_and logical_invert \
    logical_or logical_xor lognormvariate longMessage lower lstat lstrip makeRecord makeelement makefile \
    maketrans manager map mark match max maxDiff max_mag maxlen maxsize microsecond microseconds min min_mag \
    minute mkdir mock_add_spec mock_calls month most_common move_to_end mro name namelist native_id nbytes ndim \
    newlines next_minus next_plus next_toward normalize normalvariate notify notifyAll notify_all now \
    number_class numerator obj open options optionxform owner pack pack_into parametrize parent parents \
    paretovariate parse_args parse_intermixed_args parse_known_args partition parts patch pattern peek poll pop \
    pop_all popitem popleft pos print_help print_stack print_usage printdir proto push put put_nowait putheader \
    putrequest qsize quantize radix raises randbytes randint random randrange raw_items re read read1 read_bytes \
    read_dict read_file read_string read_text readable readfp readinto readinto1 readline readlines readlink \
    readonly real reconfigure recv recv_into recvfrom recvfrom_into recvmsg recvmsg_into register regs \
    relative_to release release_lock remainder_near remove removeFilter removeHandler remove_done_callback \
    remove_option remove_section removeprefix removesuffix rename replace replace_header request reset_mock \
    resolution resolve response_class result return_value reverse rfind rglob rindex rjust rmdir rollback root \
    rotate row_factory rowcount rpartition rsplit rstrip run running safe_substitute same_quantum samefile \
    sample scaleb scanner search second seconds sections seed seek seekable send send_signal sendall sendfile \
    sendmsg sendmsg_afalg sendto serialize set setDaemon setLevel setName setUp setUpClass set_authorizer \
    set_boundary set_charset set_debuglevel set_default_type set_defaults set_exception set_inheritable set_name \
    set_param set_payload set_progress_handler set_raw set_result set_trace_callback set_tunnel set_type \
    set_unixfrom setblocking setdefault setinputsizes setlimit setoutputsize setpassword setsockopt setstate \
    settimeout shape shift shortDescription shuffle shutdown side_effect size skipTest sort span split \
    splitlines sqrt start startswith stat stem strftime strides string strip strptime sub subTest submit subn \
    suboffsets substitute subtract suffix suffixes swapcase symlink_to symmetric_difference tag tail task_done \
    tearDown tearDownClass tell terminate testzip text text_factory throw time timeout timestamp timetuple \
    timetz title to_bytes to_eng_string to_integral to_integral_exact to_integral_value tobytes today tolist \
    toordinal toreadonly total total_changes total_seconds touch translate triangular truncate type tzinfo \
    tzname uncancel uniform union universal_newlines unlink unpack unpack_from update upper utcfromtimestamp \
    utcnow utcoffset utctimetuple values vonmisesvariate wait wait_for walk warn warning weekday weibullvariate \
    with_name with_stem with_suffix with_traceback writable write write_bytes write_text write_through \
    writeheader writelines writerow writerows writestr year zfill";

/// Methods of the built-in objects in JavaScript, in browsers and in Node.js.
const SCRIPT: &str = "\
    abort abs access accessSync acos acosh add addAbortListener addEventListener addListener addTrailers address \
    afterEach all allSettled anchor and any append appendChild appendFile appendFileSync appendHeader apply arch \
    arguments argv argv0 arrayBuffer asIndexedPairs asin asinh assert assign assignSocket asyncDispose \
    asyncIterator at atan atan2 atanh attribute availableMemory basename beforeEach big bind binding blink blob \
    blur body bodyUsed bold buffer byteLength byteOffset bytes cache call caller canParse cancel \
    captureRejectionSymbol captureRejections captureStackTrace catch cbrt ceil charAt charCodeAt chdir chmod \
    chmodSync chown chownSync clear click clone close closeAllConnections closeIdleConnections closeSync closed \
    clz32 codePointAt compareExchange compile compose concat config connection constants constrainedMemory \
    construct constructor context copyFile copyFileSync copyWithin cork cos cosh count countReset cp cpSync \
    cpuUsage create createObjectURL createReadStream createTask createWriteStream credentials cwd debug \
    debugPort defaultMaxListeners defineProperties defineProperty delete deleteProperty delimiter describe \
    description destination destroy destroyed detachSocket dir dirname dirxml dispatchEvent dispose dlopen \
    domain dotAll drop duplex each emit emitWarning end endsWith entries env error errorMonitor errored \
    eventNames every exchange exec execArgv execPath exists existsSync exit exitCode exp expect expm1 extname \
    fchmod fchmodSync fchown fchownSync fdatasync fdatasyncSync features fill filter finally find findIndex \
    findLast findLastIndex fixed flags flat flatMap floor flushHeaders focus fontcolor fontsize for forEach \
    formData format freeze from fromCharCode fromCodePoint fromEntries fromWeb fround fstat fstatSync fsync \
    fsyncSync ftruncate ftruncateSync futimes futimesSync get getActiveResourcesInfo getAll getAttribute \
    getBuiltinModule getConnections getDate getDay getElementById getEventListeners getFullYear getHeader \
    getHeaderNames getHeaders getHours getMaxListeners getMilliseconds getMinutes getMonth \
    getOwnPropertyDescriptor getOwnPropertyNames getOwnPropertySymbols getPrototypeOf getRawHeaderNames \
    getReader getSeconds getSetCookie getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours \
    getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getYear getegid geteuid getgid getgroups getuid \
    global group groupCollapsed groupEnd has hasHeader hasIndices hasInstance hasOwn hasOwnProperty hash headers \
    headersSent host hostname href hrtime hypot ignoreCase imul includes indexOf info init initgroups input \
    integrity is isAbsolute isArray isConcatSpreadable isExtensible isFinite isFrozen isHistoryNavigation \
    isInteger isLockFree isNaN isPaused isPrototypeOf isReloadNavigation isSafeInteger isSealed isView \
    isWellFormed it italics iterator join json kMaxEventTargetListeners keepalive keyFor keys kill lastIndexOf \
    lastMatch lastParen lchmod lchmodSync lchown lchownSync leftContext length link linkSync listen \
    listenerCount listeners listening load loadEnvFile localeCompare locked log log10 log1p log2 lstat lstatSync \
    lutimes lutimesSync map match matchAll matchesGlob max maxByteLength memoryUsage message method min mkdir \
    mkdirSync mkdtemp mkdtempSync mock mockImplementation mockReturnValue mode moduleLoadList multiline name \
    nextTick normalize notify now of off ok on once open openAsBlob openStdin openSync opendir opendirSync or \
    origin ownKeys padEnd padStart parse parseFloat parseInt password pathname pause pid pipe pipeThrough pipeTo \
    platform pop port posix pow ppid prepareStackTrace prependListener prependOnceListener preventDefault \
    preventExtensions profile profileEnd promises propertyIsEnumerable protocol prototype push querySelector \
    querySelectorAll race random raw rawListeners read readFile readFileSync readSync readable readableAborted \
    readableBuffer readableDidRead readableEncoding readableEnded readableFlowing readableHighWaterMark \
    readableLength readableObjectMode readdir readdirSync readlink readlinkSync readv readvSync reallyExit \
    realpath realpathSync redirect redirected reduce reduceRight ref referrer referrerPolicy reject relative \
    release removeAllListeners removeAttribute removeChild removeEventListener removeHeader removeListener \
    rename renameSync repeat replace replaceAll report resizable resize resolve resourceUsage resume reverse \
    revokeObjectURL rightContext rm rmSync rmdir rmdirSync round seal search searchParams sep set setAttribute \
    setDate setDefaultEncoding setEncoding setFullYear setHeader setHeaders setHours setMaxListeners \
    setMilliseconds setMinutes setMonth setPrototypeOf setSeconds setSourceMapsEnabled setTime setTimeout \
    setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setYear \
    setegid seteuid setgid setgroups setuid shift sign signal sin sinh size slice small some sort source \
    sourceMapsEnabled species splice split spyOn sqrt stackTraceLimit startsWith stat statSync statfs statfsSync \
    status statusCode statusMessage statusText stderr stdin stdout sticky stopPropagation store stream strike \
    stringify sub subarray substr substring sup symlink symlinkSync table take tan tanh tee test text then time \
    timeEnd timeLog timeStamp title toArray toBe toContain toDateString toEqual toExponential toFixed \
    toGMTString toHaveBeenCalled toISOString toJSON toLocaleDateString toLocaleLowerCase toLocaleString \
    toLocaleTimeString toLocaleUpperCase toLowerCase toNamespacedPath toPrecision toPrimitive toReversed \
    toSorted toSpliced toString toStringTag toThrow toTimeString toUTCString toUpperCase toWeb toWellFormed \
    trace trim trimEnd trimLeft trimRight trimStart trunc truncate truncateSync type umask uncork unicode \
    unicodeSets unlink unlinkSync unpipe unref unscopables unshift unwatchFile uptime url username usingDomains \
    utimes utimesSync valueOf values version versions wait waitAsync warn watch watchFile win32 with wrap \
    writable writableAborted writableBuffer writableCorked writableEnded writableFinished writableHighWaterMark \
    writableLength writableNeedDrain writableObjectMode write writeContinue writeEarlyHints writeFile \
    writeFileSync writeHead writeHeader writeProcessing writeSync writev writevSync xor";

/// Methods of collections, strings and streams in Rust, Java, Go and other languages.
const OTHER: &str = "\
    accept add addAll all and_then any append apply as_bytes as_deref as_mut as_ref as_slice as_str assert await \
    begin bind bytes call cancel charAt chars clear clone close collect compare compareTo compute contains \
    containsKey context copied copy count create current data default delete drain drop each end endsWith \
    ends_with entry entrySet enumerate eq equals err error exec execute exists expect extend fill filter \
    filter_map find first flatMap flat_map flatten flush fmt fold forEach for_each format from get getClass \
    getKey getMessage getName getOrDefault getValue get_mut get_or_insert_with group hasNext has_next hash \
    hashCode id index indexOf info init insert into into_iter invoke isBlank isEmpty isPresent is_empty is_err \
    is_none is_ok is_some iter iter_mut iterator join key keySet keys kind last len length lines list load lock \
    log map map_err matches max merge message min name new next nth of offer ok ok_or ok_or_else open orElse \
    or_default or_else or_insert or_insert_with parse path peek poll pop position post print println push \
    push_back push_str put read readLine read_line recv remove remove_if replace reset resize retain rev reverse \
    run save search select send set setText shift short show shutdown size skip sleep slice sort sort_by \
    sort_unstable spawn splice split split_once start startsWith starts_with status stop store stream \
    strip_prefix strip_suffix sub submit substring sum swap take test text then toArray toList toLowerCase \
    toString toUpperCase to_lowercase to_owned to_str to_string to_uppercase to_vec trim trim_end trim_start \
    truncate try_from type unlock unwrap unwrap_or unwrap_or_default unwrap_or_else update url value valueOf \
    values wait warn windows with_capacity write write_all write_str zip";
